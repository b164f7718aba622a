"""Medians and quartiles."""


def quantile(values, part):
    """The value below which `part` of the values lie, between two of them where need be."""
    values = sorted(values)
    place = part * (len(values) - 1)
    low = int(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (place - low)


def spread(values):
    """First quartile, median and third quartile."""
    return [quantile(values, part) for part in (0.25, 0.5, 0.75)]


def digits(number):
    """Three digits that count."""
    size = abs(number)
    if size >= 100:
        return f"{number:.0f}"
    if size >= 10:
        return f"{number:.1f}"
    if size >= 0.1 or size == 0:
        return f"{number:.2f}"
    return f"{number:.1e}"


def told(three):
    """Median with the quartiles behind."""
    low, middle, high = map(digits, three)
    return f"{middle} [{low}–{high}]"


def table(rows):
    """Rows of cells as Markdown."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    line = lambda row: "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |"
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return "\n".join([line(rows[0]), rule] + [line(row) for row in rows[1:]])
