//! Numbers of items, as they are named and printed.

use anyhow::bail;
use retake_introspection::{ItemType, NumberOf, Signal};
use retake_math::SimTime;
use retake_msgs::{IntrospectionFilter, IntrospectionSample};
use serde_json::{Value, json};

use crate::output::Printer;

/// What is printed: an item, and which of its numbers.
pub(super) struct Wanted(Vec<(String, String)>);

impl Wanted {
    /// Reads names of items, or of single numbers of them.
    pub(super) fn parse(texts: &[String]) -> anyhow::Result<Self> {
        let one = |text: &String| match Signal::parse(text)? {
            Signal::Item { manager: None, item, part } => Ok((item, part)),
            Signal::Item { .. } => bail!("Name the program with --manager, not in {text:?}"),
            Signal::Topic { topic, .. } => {
                bail!("{topic} is a topic. Watch it with: retake topic echo {topic}")
            }
        };
        texts.iter().map(one).collect::<anyhow::Result<_>>().map(Self)
    }

    /// The items, one for each name.
    pub(super) fn items(&self) -> Vec<String> {
        self.0.iter().map(|(item, _)| item.clone()).collect()
    }

    /// Finds the numbers of a sample, each with its name.
    pub(super) fn numbers(
        &self,
        filter: &IntrospectionFilter,
        sample: &IntrospectionSample,
    ) -> anyhow::Result<Vec<(String, f64)>> {
        let mut found = Vec::new();
        for ((item, part), place) in self.0.iter().zip(&filter.item) {
            let kind = place.item.as_ref().and_then(ItemType::of_message);
            let Some(kind) = kind else {
                found.push((item.clone(), f64::NAN));
                continue;
            };
            let (start, count) = (place.offset as usize, place.count as usize);
            let numbers = sample.value.get(start..start + count).unwrap_or_default();
            let parts = match part.is_empty() {
                true => kind.parts().to_vec(),
                false => vec![part.as_str()],
            };
            for part in parts {
                let dot = if part.is_empty() { "" } else { "." };
                let number = NumberOf::find(item, kind, part)?.read(numbers);
                found.push((format!("{item}{dot}{part}"), number));
            }
        }
        Ok(found)
    }
}

/// Prints a sample as one line.
pub(super) fn print_sample(
    numbers: &[(String, f64)],
    sample: &IntrospectionSample,
    printer: &mut Printer<'_>,
) -> anyhow::Result<()> {
    let stamp = sample.stamp.as_ref().map(SimTime::from).unwrap_or_default();
    let values: serde_json::Map<String, Value> =
        numbers.iter().map(|(name, number)| (name.clone(), json!(number))).collect();
    let value = json!({ "time": stamp.as_secs_f64(), "epoch": sample.epoch, "values": values });
    printer.print(&value, |out| {
        write!(out, "{stamp}")?;
        numbers.iter().try_for_each(|(_, number)| write!(out, "  {number}"))?;
        writeln!(out)
    })
}
