//! Pictures in pixels and on paper.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use retake_plot::{
    AxisSpec, Color, CurveTrace, PALETTE, Picture, PictureError, Sheet, Size, Theme, pdf, png, svg,
};

fn drawing(theme: Theme) -> String {
    let curve = CurveTrace::new("a", Color::rgb(255, 0, 0), vec![0.0, 1.0], vec![0.0, 1.0]);
    let picture = Picture {
        title: "Title".to_owned(),
        x: AxisSpec::new("Time", "s"),
        curves: vec![curve],
        ..Picture::new(Size { width_px: 400, height_px: 240 })
    };
    svg(&Sheet::of_one(picture, theme))
}

/// Width, height and the pixels, red, green, blue and opacity.
fn decode(bytes: &[u8]) -> (u32, u32, Vec<[u8; 4]>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut pixels).unwrap();
    assert_eq!(frame.color_type, png::ColorType::Rgba);
    let pixels = pixels[..frame.buffer_size()].chunks_exact(4);
    (frame.width, frame.height, pixels.map(|p| [p[0], p[1], p[2], p[3]]).collect())
}

#[test]
fn a_png_has_the_size_asked_for_and_shows_curve_and_background() {
    let cases = [(Theme::Light, 1.0, (400, 240)), (Theme::Dark, 2.5, (1000, 600))];
    for (theme, scale, size) in cases {
        let (width, height, pixels) = decode(&png(&drawing(theme), scale).unwrap());
        assert_eq!((width, height), size);
        let background = if theme == Theme::Light { [255; 4] } else { [0x16, 0x1a, 0x21, 255] };
        assert_eq!(pixels[0], background);
        assert!(pixels.iter().all(|pixel| pixel[3] == 255), "the picture is opaque");
        assert!(pixels.contains(&[255, 0, 0, 255]), "no curve at scale {scale}");
    }
}

#[test]
fn text_is_drawn_with_the_bundled_font_whatever_the_drawing_names() {
    let text = |family: &str| {
        format!(
            "<svg xmlns='http://www.w3.org/2000/svg' width='60' height='30'>\
             <text x='2' y='20' font-family='{family}'>Hq</text></svg>"
        )
    };
    let ours = decode(&png(&text("Noto Sans"), 1.0).unwrap()).2;
    assert!(ours.iter().any(|pixel| pixel[3] > 128), "no text");
    assert_eq!(decode(&png(&text("sans-serif"), 1.0).unwrap()).2, ours);
    let foreign = decode(&png(&text("DejaVu Sans"), 1.0).unwrap()).2;
    assert!(foreign == ours || foreign.iter().all(|pixel| pixel[3] == 0), "a font of the system");
}

#[test]
fn a_drawing_cannot_bring_in_other_pictures() {
    let inner = "data:image/svg+xml;utf8,%3Csvg xmlns='http://www.w3.org/2000/svg' width='9' height='9'%3E%3Crect width='9' height='9'/%3E%3C/svg%3E";
    let outer = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>\
         <image href=\"{inner}\" width='9' height='9'/></svg>"
    );
    let (_, _, pixels) = decode(&png(&outer, 1.0).unwrap());
    assert!(pixels.iter().all(|pixel| pixel[3] == 0));
}

#[test]
fn a_pdf_is_one_page_of_the_right_size_and_the_same_every_time() {
    let first = pdf(&drawing(Theme::Light)).unwrap();
    assert!(first.starts_with(b"%PDF-"));
    let text = String::from_utf8_lossy(&first);
    // 400 and 240 pixels of 1/96 inch.
    assert!(text.contains("/MediaBox[0 0 300 180]"), "{text}");
    assert!(text.contains("NotoSans"), "no text in {text}");
    assert_eq!(pdf(&drawing(Theme::Light)).unwrap(), first);
}

#[test]
fn what_is_no_drawing_or_has_no_size_is_refused() {
    for text in ["", "<svg", "hello", "<svg xmlns='http://www.w3.org/2000/svg' width='0'/>"] {
        assert!(matches!(png(text, 1.0), Err(PictureError::Svg { .. })), "{text}");
        assert!(matches!(pdf(text), Err(PictureError::Svg { .. })), "{text}");
    }
    for scale in [0.0, -1.0, f64::NAN, f64::INFINITY, 100.0, 1e-9] {
        let error = png(&drawing(Theme::Light), scale).unwrap_err();
        assert!(error.to_string().contains("choose another scale"), "{scale}: {error}");
    }
}

#[test]
fn colours_are_read_and_written() {
    for color in PALETTE {
        assert_eq!(color.to_string().parse(), Ok(color));
    }
    assert_eq!("#0aB1ff".parse(), Ok(Color::rgb(0x0a, 0xb1, 0xff)));
    for text in ["", "red", "#fff", "#12345", "#1234567", "#+12345", "#ééé", "123456"] {
        let error = text.parse::<Color>().unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("{text:?} is not a colour: write it as #rrggbb, for example #5c85e7")
        );
    }
}
