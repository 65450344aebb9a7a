"""What is measured, one file a family of measures, each named after the paper that it is from."""
