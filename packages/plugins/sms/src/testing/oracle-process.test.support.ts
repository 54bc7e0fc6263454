// An oracle with SMS on the database of DATABASE_URL, over a socket: says its URL, and stays.
import { testApp } from '@sibyl/testing'
import { sms } from '../sms.ts'

const { app } = await testApp({ plugins: [sms()], env: process.env })
const { url } = await app.listen({ host: '127.0.0.1', port: 0 })
console.log(url)
