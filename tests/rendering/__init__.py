"""Pictures: any scene, in the shared palette, readable, and small."""
