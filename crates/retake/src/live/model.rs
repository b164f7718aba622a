//! `retake model …`

use retake_msgs::{LibraryModel, ModelLibrary, ModelLibraryRequest, names};
use serde_json::{Value, json};

use crate::cli::ModelCommand;
use crate::link::Link;
use crate::output::{Printer, remark, write_table};

/// Letters of a description that a table shows.
const SHOWN_DESCRIPTION: usize = 60;

pub(super) fn run(
    command: &ModelCommand,
    link: &mut dyn Link,
    printer: &mut Printer<'_>,
) -> anyhow::Result<()> {
    match command {
        ModelCommand::List { search } => list(search.as_deref().unwrap_or(""), link, printer),
    }
}

fn list(search: &str, link: &mut dyn Link, printer: &mut Printer<'_>) -> anyhow::Result<()> {
    let service = names::model_list(&link.world());
    let library: ModelLibrary = link.call(&service, &ModelLibraryRequest {})?;
    let models: Vec<&LibraryModel> =
        library.model.iter().filter(|model| is_meant(model, search)).collect();
    if !library.incomplete.is_empty() {
        remark(&library.incomplete);
    }
    let values: Vec<Value> = models.iter().map(|model| value(model)).collect();
    printer.print(&values, |out| {
        if models.is_empty() {
            return writeln!(out, "{}", nothing(search, library.model.len()));
        }
        let head = ["uri", "name", "source", "description"].map(str::to_owned).to_vec();
        let rows: Vec<Vec<String>> =
            [head].into_iter().chain(models.iter().map(|model| row(model))).collect();
        write_table(out, &rows)
    })
}

fn is_meant(model: &LibraryModel, search: &str) -> bool {
    let search = search.to_lowercase();
    let texts = [&model.uri, &model.name, &model.description];
    texts.iter().any(|text| text.to_lowercase().contains(&search))
}

fn nothing(search: &str, known: usize) -> String {
    match known {
        0 => "No models are under the server's resource folders. Start it with --resource-path \
              FOLDER, or put models beside the world file"
            .to_owned(),
        _ => format!("None of the {known} models has {search:?} in its name or description"),
    }
}

fn value(model: &LibraryModel) -> Value {
    let problem = Some(&model.problem).filter(|problem| !problem.is_empty());
    json!({
        "uri": model.uri,
        "name": model.name,
        "description": model.description,
        "authors": model.author,
        "version": model.version,
        "source": model.source,
        "problem": problem,
    })
}

fn row(model: &LibraryModel) -> Vec<String> {
    let text = match model.problem.as_str() {
        "" if model.description.chars().count() > SHOWN_DESCRIPTION => {
            let cut: String = model.description.chars().take(SHOWN_DESCRIPTION - 1).collect();
            format!("{}…", cut.trim_end())
        }
        "" => model.description.clone(),
        problem => format!("cannot be inserted: {problem}"),
    };
    vec![model.uri.clone(), model.name.clone(), model.source.clone(), text]
}
