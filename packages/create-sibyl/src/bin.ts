#!/usr/bin/env node
process.argv.splice(2, 0, 'new')
// Set by npm, and not by others: a command to paste begins with it.
process.env.npm_lifecycle_script = 'create-sibyl'
await import('@sibyl/cli/bin')
