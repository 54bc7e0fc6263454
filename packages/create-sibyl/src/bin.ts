#!/usr/bin/env node
process.argv.splice(2, 0, 'new')
// As npm tells it, and others do not: a command that is shown to be typed again begins with it.
process.env.npm_lifecycle_script = 'create-sibyl'
await import('@sibyl/cli/bin')
