"""A picture that can be saved and copied."""

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtWidgets import QDialog, QMenu

from awase.core.plots.picture import PRINT_COLOURS
from awase.gui.kit.forms.asking import open_once
from awase.gui.kit.pictures.canvas import PictureCanvas
from awase.gui.kit.pictures.drawing import image_of
from awase.gui.kit.pictures.save_dialog import SavePictureDialog
from awase.gui.kit.texts.i18n import tr

_COPY_SCALE: Final = 4.0


class PictureView(PictureCanvas):
    """Offers its picture for saving and copying, in the colours of paper."""

    def copy(self) -> None:
        """Puts the picture on the clipboard."""
        picture = self.picture()
        if picture is not None:
            image = image_of(picture, PRINT_COLOURS, _COPY_SCALE)
            QGuiApplication.clipboard().setImage(image)

    def save(self) -> QDialog | None:
        """Opens the dialog that saves the picture; None while there is none."""
        if self.make is None:
            return None
        dialog = SavePictureDialog(self.make, self.themes, self)
        return open_once(dialog)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.picture() is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("Save the picture…")).triggered.connect(self.save)
        menu.addAction(tr("Copy the picture")).triggered.connect(self.copy)
        menu.popup(event.globalPos())
