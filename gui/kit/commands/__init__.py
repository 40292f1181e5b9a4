"""Commands, declared once: menus, keys, palette and manual are built from them."""
