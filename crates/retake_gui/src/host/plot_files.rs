//! Pictures, tables and layouts of plots, to be downloaded.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use retake_board::{ExportError, Format, Subject, Wish};
use retake_plot::{Size, Theme};
use serde::Deserialize;

use super::hub::Hub;

/// What can be said about a file.
#[derive(Deserialize)]
pub(super) struct Options {
    /// First and last instant, in seconds.
    from: Option<f64>,
    to: Option<f64>,
    /// Size of each plot, in pixels.
    width: Option<u32>,
    height: Option<u32>,
    /// `light` or `dark`.
    theme: Option<String>,
}

/// Size of a plot that nobody gave one.
const SIZE: Size = Size { width_px: 900, height_px: 420 };

/// Serves `/plots/PLOT/picture.svg` and the like.
pub(super) async fn serve_plot(
    State(hub): State<Arc<Hub>>,
    Path((plot, file)): Path<(String, String)>,
    Query(options): Query<Options>,
) -> Response {
    serve(hub, Subject::Plot(plot), file, options).await
}

/// Serves `/plots/tab/TAB/picture.svg` and the like.
pub(super) async fn serve_tab(
    State(hub): State<Arc<Hub>>,
    Path((tab, file)): Path<(String, String)>,
    Query(options): Query<Options>,
) -> Response {
    serve(hub, Subject::Tab(tab), file, options).await
}

/// Serves the layout as a file.
pub(super) async fn serve_layout(State(hub): State<Arc<Hub>>) -> Response {
    download("layout.json", "application/json", hub.plots.layout_file().into_bytes())
}

async fn serve(hub: Arc<Hub>, subject: Subject, file: String, options: Options) -> Response {
    let Some(format) = Format::of_file(&file) else {
        let text = "Plots are saved as .svg, .png, .pdf, .csv or .parquet";
        return (StatusCode::NOT_FOUND, text).into_response();
    };
    let range = match (options.from, options.to) {
        (Some(from), Some(to)) if from <= to => Some((from, to)),
        (None, None) => None,
        _ => return (StatusCode::BAD_REQUEST, "Write from=SECS&to=SECS").into_response(),
    };
    let size = Size {
        width_px: options.width.unwrap_or(SIZE.width_px),
        height_px: options.height.unwrap_or(SIZE.height_px),
    };
    let theme = match options.theme.as_deref() {
        Some("dark") => Theme::Dark,
        _ => Theme::Light,
    };
    let wish = Wish { subject, format, range, size, theme };
    // Drawing takes a while, and pages wait for nothing here.
    let turn = hub.drawing.acquire().await;
    let plots = Arc::clone(&hub.plots);
    let made = tokio::task::spawn_blocking(move || plots.export(&wish)).await;
    drop(turn);
    match made {
        Ok(Ok(bytes)) => download(&file, format.media_type(), bytes),
        Ok(Err(error @ (ExportError::NoSuchPlot { .. } | ExportError::Empty))) => {
            (StatusCode::NOT_FOUND, error.to_string()).into_response()
        }
        Ok(Err(error)) => (StatusCode::BAD_REQUEST, error.to_string()).into_response(),
        Err(_) => {
            let text = "The file could not be made. Try a shorter range";
            (StatusCode::INTERNAL_SERVER_ERROR, text).into_response()
        }
    }
}

fn download(name: &str, media_type: &'static str, bytes: Vec<u8>) -> Response {
    let plain: String = name.chars().filter(|c| c.is_ascii_graphic() && *c != '"').collect();
    let headers = [
        (CONTENT_TYPE, media_type.to_owned()),
        (CACHE_CONTROL, "no-store".to_owned()),
        (CONTENT_DISPOSITION, format!("attachment; filename=\"{plain}\"")),
    ];
    (headers, bytes).into_response()
}
