import { testApp } from '@sibyl/testing'
import { mcpServer } from './mcp-server.ts'
import { shop } from './shop.test.support.ts'

// An oracle in a process of its own: prints its address.
const { DATABASE_URL, ORACLE_MNEMONIC, ORACLE_API_KEYS, PORT } = process.env
const env = { DATABASE_URL, ORACLE_MNEMONIC, ORACLE_API_KEYS, HOST: '127.0.0.1', PORT }
const { app } = await testApp({ plugins: [shop], adapters: [mcpServer()], env })
process.stdout.write(`${(await app.listen()).url}\n`)
