"""Models: whatever fulfils contracts."""
