//! What the host serves by HTTP, and whom it refuses.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use retake_assets::ResourceRoots;
use retake_components::{Kind, PluginConfig, Shape, VisualMaterial};
use retake_description::{Element, Geometry, Material, MeshUse, Pbr, Plugin};
use retake_ecm::EntityId;
use retake_gui::{Feed, FeedLink, Host, HostError, HostOptions};
use retake_math::Vec3;
use retake_msgs::PROTOCOL_VERSION;
use support::{PATIENCE, Scene, bench, bench_with};
use tokio_tungstenite::tungstenite;

fn status(answer: &str) -> u16 {
    answer.split(' ').nth(1).unwrap().parse().unwrap()
}

fn link() -> Arc<FeedLink> {
    Arc::new(FeedLink::new(Arc::new(Feed::new(Scene::new().view())), |_, _| {}))
}

#[test]
fn the_page_is_served_with_its_headers() {
    let bench = bench();
    let answer = bench.get("/").to_lowercase();
    assert_eq!(status(&answer), 200);
    for header in [
        "content-type: text/html; charset=utf-8",
        "cache-control: no-cache",
        "content-security-policy: default-src 'self'; style-src 'self' 'unsafe-inline'; \
         img-src 'self' data: blob:; media-src 'self' blob:; worker-src 'self' blob:; connect-src 'self'; \
         frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
        "cross-origin-resource-policy: same-origin",
    ] {
        assert!(answer.contains(header), "{header} is missing in {answer}");
    }
    assert_eq!(status(&bench.get("/healthz")), 200);
    for path in ["/no/such/file", "/../Cargo.toml", "/%2e%2e/Cargo.toml", "/etc/passwd"] {
        let answer = bench.get(path);
        assert_eq!(status(&answer), 404, "{path}");
        assert!(answer.to_lowercase().contains("x-content-type-options: nosniff"));
    }
}

#[test]
fn foreign_and_malformed_requests_are_refused() {
    let bench = bench();
    let host = format!("host: {}\r\n", bench.host.address());
    let upgrade = "connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
                   sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    let close = "connection: close\r\n";
    let many = "x: y\r\n".repeat(1000);
    for (request, expected) in [
        (format!("GET / HTTP/1.1\r\n{close}\r\n"), 400),
        (format!("GET / HTTP/1.1\r\nhost: evil.example:8642\r\n{close}\r\n"), 403),
        (format!("GET / HTTP/1.1\r\n{host}{host}{close}\r\n"), 400),
        (format!("POST / HTTP/1.1\r\n{host}content-length: 0\r\n{close}\r\n"), 405),
        (format!("GET http://evil.example/ HTTP/1.1\r\n{host}{close}\r\n"), 400),
        (format!("GET /ws HTTP/1.1\r\n{host}{close}\r\n"), 400),
        (format!("GET /ws HTTP/1.1\r\n{host}{upgrade}origin: null\r\n\r\n"), 403),
        (format!("GET /ws HTTP/1.1\r\n{host}{upgrade}origin: http://evil.example\r\n\r\n"), 403),
        (format!("GET /ws HTTP/1.1\r\nhost: evil.example\r\n{upgrade}\r\n"), 403),
        (format!("POST /ws HTTP/1.1\r\n{host}{upgrade}\r\n"), 405),
        ("nonsense\r\n\r\n".to_owned(), 400),
        (format!("GET / HTTP/1.1\r\n{host}: no name\r\n\r\n"), 400),
        (format!("GET / HTTP/1.1\r\n{host}{many}{close}\r\n"), 431),
    ] {
        // Refused upgrades keep the connection; the end of the answer's head is enough.
        let answer = head(&bench, &request);
        assert_eq!(status(&answer), expected, "{request:.200}");
    }
    let endless = format!("GET / HTTP/1.1\r\n{host}x: {}", "y".repeat(10_000_000));
    let answer = head(&bench, &endless);
    // The connection may be reset before the answer is read, with so much under way.
    assert!(answer.is_empty() || status(&answer) == 431, "{answer}");
    assert_eq!(status(&bench.get("/healthz")), 200);
}

/// Sends a request and reads until the first line of the answer is there.
fn head(bench: &support::Bench, request: &str) -> String {
    use std::io::{BufRead, BufReader, Write};
    let mut stream = std::net::TcpStream::connect(bench.host.address()).unwrap();
    stream.set_read_timeout(Some(support::PATIENCE)).unwrap();
    // The host may refuse and close before it has read all.
    stream.write_all(request.as_bytes()).ok();
    let mut line = String::new();
    // A reset connection leaves the line empty.
    BufReader::new(stream).read_line(&mut line).ok();
    line
}

#[test]
fn a_foreign_origin_is_refused_before_the_upgrade() {
    let bench = bench();
    let own = format!("http://localhost:{}", bench.host.address().port());
    assert!(bench.run(bench.connect(Some(&own))).is_ok());
    for origin in ["null", "http://evil.example", "http://127.0.0.1:1", "https://localhost"] {
        match bench.run(bench.connect(Some(origin))).err() {
            Some(tungstenite::Error::Http(answer)) => assert_eq!(answer.status(), 403, "{origin}"),
            other => panic!("{origin}: {other:?}"),
        }
    }
}

#[test]
fn the_65th_page_is_refused_until_one_leaves() {
    assert_eq!(HostOptions::default().max_clients, 64);
    let bench = bench();
    let mut pages: Vec<_> = (0..64).map(|_| bench.run(bench.page())).collect();
    match bench.run(bench.connect(None)).err() {
        Some(tungstenite::Error::Http(answer)) => assert_eq!(answer.status(), 503),
        other => panic!("{other:?}"),
    }
    drop(pages.pop());
    bench.run(async {
        // The host notices the loss on its own; each attempt is a round trip.
        while bench.connect(None).await.is_err() {}
        let page = &mut pages[0];
        page.watch(&[bench.scene.car]).await;
        page.state().await;
    });
}

#[test]
fn a_busy_port_is_named() {
    // An address of its own: connections of other tests may take any free port of 127.0.0.1.
    let own = SocketAddr::from((Ipv4Addr::new(127, 0, 0, 77), 0));
    let host = Host::bind(own, link(), HostOptions::default()).unwrap().spawn().unwrap();
    let address = host.address();
    let error = Host::bind(address, link(), HostOptions::default()).err().unwrap();
    let port = address.port();
    let text =
        format!("Port {port} is taken. Stop the other program or choose another port with --port");
    assert_eq!(error.to_string(), text);
    drop(host);
    let again = Host::bind(address, link(), HostOptions::default());
    again.expect("the port is free as soon as the guard is gone");
}

#[test]
fn only_loopback_is_served() {
    let open = SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0));
    let error = Host::bind(open, link(), HostOptions::default()).err().unwrap();
    assert!(matches!(error, HostError::NotLoopback { .. }));
}

#[test]
fn a_body_that_does_not_come_ends_its_request() {
    let handshake_timeout = std::time::Duration::from_millis(50);
    let bench =
        bench_with(HostOptions { handshake_timeout, ..HostOptions::default() }, Scene::new());
    let address = bench.host.address();
    let head = format!("POST /visit HTTP/1.1\r\nhost: {address}\r\n");
    let answer = bench.http(&format!("{head}content-length: 1000\r\n\r\nabc"));
    assert_eq!(status(&answer), 408, "{answer}");
    assert!(answer.ends_with("The request took too long"), "{answer}");
}

/// Says whether the other end has closed a connection.
fn is_closed(stream: &std::net::TcpStream) -> bool {
    stream.set_nonblocking(true).unwrap();
    match stream.peek(&mut [0]) {
        Ok(bytes) => bytes == 0,
        Err(error) => error.kind() != std::io::ErrorKind::WouldBlock,
    }
}

#[test]
fn connections_past_the_limit_are_closed_and_the_rest_served() {
    // Nobody is closed for taking long to say what they want.
    let handshake_timeout = 100 * PATIENCE;
    let options = HostOptions { max_clients: 2, handshake_timeout, ..HostOptions::default() };
    let bench = bench_with(options, Scene::new());
    let mut page = bench.run(bench.page());
    let idle: Vec<_> =
        (0..400).map(|_| std::net::TcpStream::connect(bench.host.address()).unwrap()).collect();
    bench.run(page.watch(&[bench.scene.car]));
    bench.run(page.state());
    // 2 for pages and 192 for all else; one that has become a page's no longer counts.
    let deadline = std::time::Instant::now() + PATIENCE;
    let mut closed = 0;
    while closed < 400 - 194 {
        closed = idle.iter().filter(|stream| is_closed(stream)).count();
        assert!(std::time::Instant::now() < deadline, "{closed} of 400 connections are closed");
        std::thread::yield_now();
    }
    assert_eq!(closed, 400 - 194, "the others are heard");
    drop(idle);
    bench.run(async {
        loop {
            if let Ok(mut page) = bench.connect(None).await {
                page.hello(PROTOCOL_VERSION).await;
                page.poses().await;
                break;
            }
        }
    });
}

fn mesh(path: PathBuf) -> Shape {
    Shape(Geometry::Mesh {
        uri: "model://a/a.obj".into(),
        path,
        scale: Vec3::ONE,
        submesh: None,
        center_submesh: false,
        collide_as: MeshUse::Triangles,
    })
}

/// Splits a packed mesh into its description and its numbers.
fn unpacked(body: &[u8]) -> (serde_json::Value, &[u8]) {
    let (length, rest) = body.split_first_chunk::<4>().unwrap();
    let (text, numbers) = rest.split_at(u32::from_le_bytes(*length) as usize);
    (serde_json::from_slice(text).unwrap(), numbers)
}

#[test]
fn meshes_of_the_world_are_served_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.obj");
    std::fs::write(&file, "v 0 0 0\nv 1 0 0\nv 0 2 0\nf 1 2 3\n").unwrap();
    let mut scene = Scene::new();
    let seen = scene.add(scene.chassis, Kind::Visual, "seen");
    scene.ecm.set(seen, mesh(file.clone())).unwrap();
    let lost = scene.add(scene.chassis, Kind::Visual, "lost");
    scene.ecm.set(lost, mesh(folder.path().join("none.obj"))).unwrap();
    let nameless = scene.add(scene.chassis, Kind::Visual, "nameless");
    scene.ecm.set(nameless, mesh(PathBuf::new())).unwrap();
    let plain = scene.add(scene.chassis, Kind::Visual, "plain");
    scene.ecm.set(plain, Shape(Geometry::Sphere { radius: 1.0 })).unwrap();
    let bench = bench_with(HostOptions::default(), scene);

    let mut expected = Vec::new();
    let corners = [0., 0., 0., 1., 0., 0., 0., 2., 0.];
    corners.iter().for_each(|number: &f32| expected.extend(number.to_le_bytes()));
    [0f32, 0., 1.].repeat(3).iter().for_each(|number| expected.extend(number.to_le_bytes()));
    [0u32, 1, 2].iter().for_each(|index| expected.extend(index.to_le_bytes()));
    for _ in 0..2 {
        let (head, body) = bench.get_bytes(&format!("/mesh/{}", seen.raw()));
        assert_eq!(status(&head), 200);
        let (description, numbers) = unpacked(&body);
        let part = serde_json::json!({
            "vertices": 3, "triangles": 1, "uvs": false, "material": null,
        });
        assert_eq!(description["parts"], serde_json::json!([part]));
        assert_eq!(numbers, expected);
    }

    let encoded = file.to_str().unwrap().replace('/', "%2f");
    for (entity, expected) in [
        (lost.raw().to_string(), "No such file or directory (os error 2)"),
        (
            nameless.raw().to_string(),
            "\"model://a/a.obj\" was not found under the resource folders",
        ),
        (plain.raw().to_string(), "No such mesh"),
        ("99999".into(), "No such mesh"),
        (encoded, "No such mesh"),
    ] {
        let answer = bench.get(&format!("/mesh/{entity}"));
        assert_eq!(status(&answer), 404, "{entity}");
        assert!(answer.ends_with(expected), "{answer}");
    }
}

#[test]
fn textures_of_the_world_are_served_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &[u8]| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    };
    let png = b"\x89PNG and more";
    write("model/materials/textures/red.png", png);
    write("model/meshes/a.mtl", b"newmtl a\nmap_Kd red.png\nnewmtl b\nmap_Kd text.png\n");
    write("model/meshes/text.png", b"no image");
    let text = "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 2 0\nusemtl a\nf 1 2 3\n";
    let file = write("model/meshes/a.obj", text.as_bytes());
    let mut scene = Scene::new();
    let seen = scene.add(scene.chassis, Kind::Visual, "seen");
    scene.ecm.set(seen, mesh(file)).unwrap();
    let painted = scene.add(scene.chassis, Kind::Visual, "painted");
    let albedo_path = Some(write("paint.png", png));
    let pbr = Some(Pbr { albedo_path, ..Pbr::default() });
    scene.ecm.set(painted, VisualMaterial(Material { pbr, ..Material::default() })).unwrap();
    let mut roots = ResourceRoots::new();
    roots.add(folder.path()).unwrap();
    let bench = bench_with(HostOptions { roots, ..HostOptions::default() }, scene);

    let (seen, painted) = (seen.raw(), painted.raw());
    let (_, body) = bench.get_bytes(&format!("/mesh/{seen}"));
    assert_eq!(unpacked(&body).0["materials"][0]["texture"], 0);
    for good in [format!("/mesh/{seen}/texture/0"), format!("/albedo/{painted}")] {
        let (head, body) = bench.get_bytes(&good);
        assert_eq!(status(&head), 200, "{good}");
        assert!(head.contains("content-type: image/png"), "{head}");
        assert_eq!(body, png);
    }
    for (bad, expected) in [
        (format!("/mesh/{seen}/texture/1"), "text.png is not PNG or JPEG"),
        (format!("/mesh/{seen}/texture/2"), "No such texture"),
        (format!("/mesh/{seen}/texture/-1"), "No such texture"),
        (format!("/mesh/{painted}/texture/0"), "No such texture"),
        (format!("/albedo/{seen}"), "No such texture"),
        ("/albedo/..%2fpaint.png".to_owned(), "No such texture"),
    ] {
        let answer = bench.get(&bad);
        assert_eq!(status(&answer), 404, "{bad}");
        assert!(answer.ends_with(expected), "{answer}");
    }
}

#[test]
fn terrain_is_served_as_a_mesh() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hill.png");
    std::fs::write(&path, GREY_2X2).unwrap();
    let mut scene = Scene::new();
    let seen = scene.add(scene.chassis, Kind::Visual, "seen");
    let terrain = Geometry::Heightmap {
        uri: "hill.png".into(),
        path,
        size: Vec3::new(4.0, 2.0, 1.0),
        position: Vec3::ZERO,
    };
    scene.ecm.set(seen, Shape(terrain)).unwrap();
    let bench = bench_with(HostOptions::default(), scene);
    let (head, body) = bench.get_bytes(&format!("/mesh/{}", seen.raw()));
    assert_eq!(status(&head), 200);
    let (description, numbers) = unpacked(&body);
    assert_eq!(description["parts"][0]["triangles"], 2);
    assert_eq!(description["parts"][0]["uvs"], true);
    let first: Vec<f32> = numbers[..12]
        .chunks_exact(4)
        .map(|four| f32::from_le_bytes(four.try_into().unwrap()))
        .collect();
    // The black upper left pixel is the lowest point, at the least x and the greatest y.
    assert_eq!(first, [-2.0, 1.0, 0.0]);
}

/// A PNG of two by two grey pixels: black and white above, white and black below.
const GREY_2X2: &[u8] = &[
    137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 2, 0, 0, 0, 2, 8, 0, 0,
    0, 0, 87, 221, 82, 248, 0, 0, 0, 12, 73, 68, 65, 84, 120, 156, 99, 96, 248, 15, 132, 0, 6, 0,
    1, 255, 147, 209, 228, 137, 0, 0, 0, 0, 73, 69, 78, 68, 174, 66, 96, 130,
];

/// Puts sounds into folders that players may use, and beside them.
fn lay_out_sounds(folder: &std::path::Path) {
    let write = |name: &str, content: &[u8]| {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    };
    write("in/sounds/bark.wav", b"wav");
    write("in/sounds/bark.ogg", b"ogg");
    write("in/sounds/song.mp3", b"mp3");
    write("in/sounds/deep/low.wav", b"low");
    write("in/more/purr.ogg", b"purr");
    write("in/loud.wav", b"loud");
    write("secret/secret.wav", b"secret");
    let file = std::fs::File::create(folder.join("in/sounds/long.wav")).unwrap();
    file.set_len(8 * 1024 * 1024 + 1).unwrap();
    let link = folder.join("in/sounds/link.wav");
    std::os::unix::fs::symlink(folder.join("secret/secret.wav"), link).unwrap();
}

#[test]
fn sounds_of_players_are_served_by_name_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    lay_out_sounds(folder.path());
    let mut scene = Scene::new();
    let (robot, other) = (scene.chassis, scene.car);
    let mut player = |robot: EntityId, folders: &[&str]| {
        let entity = scene.add(robot, Kind::Plugin, "player");
        let element = |text: &&str| Element {
            name: "sounds_path".to_owned(),
            text: (*text).to_owned(),
            ..Element::default()
        };
        let body = folders.iter().map(element).collect();
        let config = Plugin { name: "player".to_owned(), body, ..Plugin::default() };
        scene.ecm.set(entity, PluginConfig(config)).unwrap();
        entity.raw()
    };
    let (dog, twin) = (player(robot, &[" sounds ", "more"]), player(robot, &[]));
    let mute = player(other, &[]);
    let (astray, away) = (player(robot, &["nowhere"]), player(robot, &["../secret"]));
    let mut roots = ResourceRoots::new();
    roots.add(&folder.path().join("in")).unwrap();
    let bench = bench_with(HostOptions { roots, ..HostOptions::default() }, scene);

    for (name, kind, content) in [
        ("bark", "audio/wav", b"wav".as_slice()),
        ("bark.ogg", "audio/ogg", b"ogg"),
        ("song", "audio/mpeg", b"mp3"),
        ("purr", "audio/ogg", b"purr"),
    ] {
        let (head, body) = bench.get_bytes(&format!("/sound/{dog}/{name}"));
        assert_eq!(status(&head), 200, "{name}");
        assert!(head.contains(&format!("content-type: {kind}")), "{head}");
        assert_eq!(body, content);
    }
    // A player without sounds of its own has those of its robot.
    assert_eq!(bench.get_bytes(&format!("/sound/{twin}/bark")).1, b"wav");
    let plain = "A sound has a plain name, without folders";
    for (bad, expected) in [
        (format!("{dog}/nothing"), "No sound \"nothing\" in sounds, more"),
        (format!("{dog}/loud"), "No sound \"loud\" in sounds, more"),
        (format!("{dog}/link"), "No sound \"link\" in sounds, more"),
        (format!("{dog}/long"), "The sound is larger than 8 MiB"),
        (format!("{dog}/.."), plain),
        (format!("{dog}/..%2floud"), plain),
        (format!("{dog}/deep%2flow"), plain),
        (format!("{dog}/deep%5clow"), plain),
        (format!("{dog}/%00"), plain),
        (format!("{dog}/{}", "a".repeat(200)), plain),
        (format!("{mute}/bark"), "player has no <sounds_path>, nor has its robot"),
        (
            format!("{astray}/bark"),
            "No sound \"bark\" in nowhere; <sounds_path>: nothing under the resource folders is \
             called \"nowhere\"",
        ),
        (
            format!("{away}/secret"),
            "No sound \"secret\" in ../secret; <sounds_path>: nothing under the resource folders is \
             called \"../secret\"",
        ),
        ("99999/bark".to_owned(), "No such player"),
        ("dog/bark".to_owned(), "No such sound"),
    ] {
        let answer = bench.get(&format!("/sound/{bad}"));
        assert_eq!(status(&answer), 404, "{bad}");
        assert!(answer.ends_with(expected), "{bad}: {answer}");
    }
}
