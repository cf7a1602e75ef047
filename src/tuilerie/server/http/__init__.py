"""HTTP: middleware, authentication, and the JSON API."""
