#!/usr/bin/env node
import { processIo, run } from '@sibyl/cli'

process.exitCode = await run(['new', ...process.argv.slice(2)], processIo())
