"""Systems by two values, as a picture and as a table."""

from collections.abc import Sequence

from awase.core.plots.charts import Point, scatter
from awase.core.plots.picture import Picture
from awase.core.reports.grid import Cell, Column, grid_of
from awase.gui.kit.pictures.plot_view import Plot
from awase.gui.kit.texts.i18n import tr


def scatter_plot(points: Sequence[Point], x_title: str, y_title: str) -> Plot:
    """Returns the plot of one value against another; a mark stands for (system,).

    Args:
        points: A system each.
        x_title: What lies from left to right.
        y_title: What lies from bottom to top.
    """
    title = tr("{metric} against {human}", metric=x_title, human=y_title)

    def made(width: float, height: float) -> Picture:
        return scatter(
            points, title=title, x_title=x_title, y_title=y_title, width=width, height=height
        )

    columns = (
        Column(title=tr("System")),
        Column(title=x_title, is_number=True),
        Column(title=y_title, is_number=True),
    )
    rows = [
        (
            Cell(text=point.label, value=point.label, is_number=False),
            *(
                Cell(text=f"{value:.3f}", value=value, tip=f"{value:.6f}")
                for value in (point.x, point.y)
            ),
        )
        for point in points
    ]
    keys = [(point.label,) for point in points]
    return Plot(
        make=made if points else None,
        table=grid_of(columns, rows),
        key_of=lambda row, _column: keys[row],
    )
