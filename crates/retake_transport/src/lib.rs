//! Topics and services over zenoh or in process.
