//! A drawing read back.

use roxmltree::{Document, Node};

/// What is drawn beyond the edge of a plot and cut off by the clip: eight pixels, one of which the
/// clip leaves, and rounding.
const OVERLAP_PX: f64 = 7.01;

pub struct Drawn<'a> {
    document: Document<'a>,
}

#[derive(Debug)]
pub struct Area {
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
}

impl<'a> Drawn<'a> {
    pub fn parse(text: &'a str) -> Self {
        Self { document: Document::parse(text).unwrap_or_else(|error| panic!("{error} in {text}")) }
    }

    fn elements(&self, name: &'static str) -> impl Iterator<Item = Node<'_, 'a>> {
        self.document.descendants().filter(move |node| node.has_tag_name(name))
    }

    /// The areas of the plots, as the clips have them.
    pub fn plots(&self) -> Vec<Area> {
        self.elements("clipPath").map(|clip| area(clip.first_element_child().unwrap())).collect()
    }

    /// All texts.
    pub fn words(&self) -> Vec<String> {
        let text = |node: Node<'_, '_>| node.text().map(str::to_owned);
        self.elements("text").filter_map(text).collect()
    }

    fn curves(&self) -> impl Iterator<Item = (usize, Node<'_, 'a>)> {
        let groups = self.elements("g").filter_map(|group| {
            let plot =
                group.attribute("clip-path")?.strip_prefix("url(#plot")?.strip_suffix(')')?;
            Some((plot.parse().unwrap(), group))
        });
        groups.flat_map(|(plot, group)| {
            let paths = group.children().filter(|node| node.has_tag_name("path"));
            paths.map(move |path| (plot, path))
        })
    }

    pub fn curve_path(&self, number: usize) -> String {
        let (_, path) = self.curves().nth(number).expect("there is such a curve");
        path.attribute("d").unwrap().to_owned()
    }

    pub fn curve_points(&self, number: usize) -> Vec<(f64, f64)> {
        points(&self.curve_path(number))
    }

    /// Every number that is drawn with is finite.
    pub fn check_numbers(&self) {
        let numeric = ["x", "y", "x1", "x2", "y1", "y2", "width", "height", "cx", "cy", "r"];
        let sizes = ["font-size", "stroke-width", "opacity", "dy"];
        for node in self.document.descendants().filter(Node::is_element) {
            for name in numeric.iter().chain(&sizes) {
                let Some(value) = node.attribute(*name) else { continue };
                let number: f64 = value.parse().unwrap_or_else(|_| panic!("{name}={value}"));
                assert!(number.is_finite(), "{name}={value}");
            }
            for name in ["d", "transform"] {
                let text = node.attribute(name).unwrap_or_default();
                assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
            }
        }
    }

    /// No curve leaves its plot by more than what the clip cuts off.
    pub fn check_curves_are_inside(&self) {
        let plots = self.plots();
        for (plot, path) in self.curves() {
            let area = &plots[plot];
            for (x, y) in points(path.attribute("d").unwrap()) {
                let across = area.left - OVERLAP_PX..=area.left + area.width + OVERLAP_PX;
                let down = area.top - OVERLAP_PX..=area.top + area.height + OVERLAP_PX;
                assert!(across.contains(&x) && down.contains(&y), "{x} {y} not in {area:?}");
            }
        }
    }

    pub fn check_plots_are_on_the_sheet(&self) {
        let sheet = area(self.document.root_element());
        for plot in self.plots() {
            assert!(
                plot.left >= 0.0 && plot.left + plot.width <= sheet.width,
                "{plot:?} {sheet:?}"
            );
            assert!(
                plot.top >= 0.0 && plot.top + plot.height <= sheet.height,
                "{plot:?} {sheet:?}"
            );
        }
    }
}

fn area(rect: Node<'_, '_>) -> Area {
    let number = |name: &str| rect.attribute(name).map_or(0.0, |value| value.parse().unwrap());
    Area { left: number("x"), top: number("y"), width: number("width"), height: number("height") }
}

/// The points of a path of lines; dots end in a tiny line to the right, which is left out.
fn points(path: &str) -> Vec<(f64, f64)> {
    let absolute = path.replace("h.01", " ").replace(['M', 'L'], " ");
    let numbers: Vec<f64> =
        absolute.split_whitespace().map(|number| number.parse().unwrap()).collect();
    assert!(numbers.len().is_multiple_of(2), "{path}");
    numbers.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()
}
