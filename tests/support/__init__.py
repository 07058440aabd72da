"""What tests need beside the product: a writer of `.xg` files, independent of its reader."""
