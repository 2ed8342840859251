"""What the drawings of bench/cuda_report.py are made of."""

COLOURS = {"ours": "#1b6e3a", "eager": "#b3541e", "compile": "#5b4b9a", "copy": "#777777"}


def svg(width, height, body):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" '
            f'font-size="12">\n<rect width="{width}" height="{height}" fill="white"/>\n' + "\n".join(body) + "\n</svg>\n")


def text(x, y, words, anchor="middle", colour="black"):
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}" fill="{colour}">{words}</text>'
