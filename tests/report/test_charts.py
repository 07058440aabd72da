"""The waterfall: well-formed, inside its frame, and true to the numbers."""

from dataclasses import replace
from xml.etree import ElementTree

from hypothesis import example, given
from hypothesis import strategies as st

from reconcile.gap.walk import Bridge, Step
from reconcile.report.html.charts import WATERFALL_HEIGHT, waterfall_svg

SVG = "{http://www.w3.org/2000/svg}"
LABELS = ("XG", "gnuBG")


def bridge(start, changes):
    steps = tuple(
        Step(f"Q{index:02}", "a rule", change, 1) for index, change in enumerate(changes, start=1)
    )
    return Bridge("<Nora>", "pr", start, start + sum(changes), steps)


@given(st.floats(0, 50), st.lists(st.floats(-20, 20), max_size=9), st.none() | st.floats(0, 5))
@example(0.0, [6.103515625e-05], None)
def test_waterfall_is_well_formed_and_inside_its_frame(start, changes, tolerance):
    root = ElementTree.fromstring(waterfall_svg(bridge(start, changes), LABELS, tolerance, "k"))
    width = float(root.get("viewBox", "").split()[2])
    shapes = list(root.iter(f"{SVG}rect"))
    assert shapes or not any(
        abs(change) > 0.001 for change in changes
    )  # smaller ones are left to the table
    for rect in shapes:
        x, y, wide, high = (float(rect.get(name, "")) for name in ("x", "y", "width", "height"))
        assert 0 <= x <= x + wide <= width + 0.1
        assert 0 <= y <= y + high <= WATERFALL_HEIGHT + 0.1


def bars(svg):
    """Height of the bars of steps by their label."""
    heights = {}
    for group in ElementTree.fromstring(svg).iter(f"{SVG}g"):
        if group.get("class") == "bar":
            shape = next(
                rect
                for rect in group.iter(f"{SVG}rect")
                if (rect.get("class") or "").startswith("step")
            )
            label = next(
                text.text for text in group.iter(f"{SVG}text") if text.get("class") == "label"
            )
            heights[label or ""] = float(shape.get("height", ""))
    return heights


def test_heights_of_bars_are_in_proportion_and_an_axis_that_does_not_begin_at_zero_is_torn():
    heights = bars(waterfall_svg(bridge(5.0, [2.0, -1.0, 0.0, -4.0]), LABELS, 0.1, "k"))
    assert set(heights) == {"Q01", "Q02", "Q04"}
    assert abs(heights["Q01"] - 2 * heights["Q02"]) < 0.2
    assert abs(heights["Q04"] - 4 * heights["Q02"]) < 0.3
    near = waterfall_svg(bridge(9.28, [-0.05]), LABELS, 0.1, "k")
    far = waterfall_svg(bridge(9.28, [-8.0]), LABELS, 0.1, "k")
    assert "l-5.5 4" in near
    assert "l-5.5 4" not in far
    assert ">0.0<" in far
    assert ">0.0<" not in near


def test_every_bar_has_a_title_and_a_label_and_names_are_escaped():
    svg = waterfall_svg(bridge(5.0, [2.0]), LABELS, None, "k")
    titles = [title.text or "" for title in ElementTree.fromstring(svg).iter(f"{SVG}title")]
    assert titles[0] == "PR of <Nora> from 5.00 (XG) to 7.00 (gnuBG)"
    assert titles[1:] == [
        "XG: 5.00",
        "Q01: a rule: +2.000 (1 decision), from 5.00 to 7.00",
        "gnuBG: 7.00",
    ]
    codes = ("reported-left", "Q02", "coverage-left", "engine", "coverage-right")
    steps = tuple(Step(code, "a step", 1.0, 1) for code in codes)
    svg = waterfall_svg(replace(bridge(5.0, [1.0] * len(codes)), steps=steps), LABELS, None, "k")
    labels = [
        element.text
        for element in ElementTree.fromstring(svg).iter()
        if element.get("class") == "label"
    ]
    assert labels[1:-1] == ["reporting L", "Q02", "coverage L", "analysis", "coverage R"]
