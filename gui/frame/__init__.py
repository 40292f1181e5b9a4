"""The window around the pages: menus, rail, welcome, palette, help, tour."""
