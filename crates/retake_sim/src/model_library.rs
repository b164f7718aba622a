//! The models that can be put into a world, as the server lists them for others.
//!
//! The step thread only says where to look; a thread of its own does that ([`crate::desk`]), for a
//! bounded time.

use std::time::Duration;

use retake_msgs as msgs;
use retake_sdf::{LibraryLimits, LibraryModel, list_models};

use crate::Response;
use crate::desk::Work;
use crate::loader::within;
use crate::preparation::Preparer;

/// How long the folders are looked through.
const MOST_TIME: Duration = Duration::from_secs(4);

/// Makes the work of listing the models that a world can take.
pub(crate) fn listing(preparer: Preparer) -> Work {
    Box::new(move || {
        let library = list_models(preparer.roots(), &LibraryLimits::default(), &within(MOST_TIME));
        Response::Library(msgs::ModelLibrary {
            model: library.models.into_iter().map(message).collect(),
            incomplete: library.incomplete.unwrap_or_default(),
        })
    })
}

fn message(model: LibraryModel) -> msgs::LibraryModel {
    msgs::LibraryModel {
        uri: model.uri,
        name: model.name,
        description: model.description,
        author: model.authors,
        version: model.version,
        source: model.source,
        problem: model.problem.unwrap_or_default(),
    }
}
