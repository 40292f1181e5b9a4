"""What the user can do, declared once: menus, keys, palette and manual are made from it."""
