#!/usr/bin/env node
process.argv.splice(2, 0, 'new')
await import('@sibyl/cli/bin')
