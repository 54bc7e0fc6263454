#!/usr/bin/env node
process.argv.splice(2, 0, 'new')
// npm says by what it was called; others do not.
process.env.npm_lifecycle_script ??= 'create-sibyl'
await import('@sibyl/cli/bin')
