//! GUI host: serves the page and speaks with it over a WebSocket.
