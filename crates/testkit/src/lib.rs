//! Real registries and middle devices for tests.
