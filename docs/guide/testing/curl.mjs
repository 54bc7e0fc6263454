// Stands in for curl in the tests of the guide, where the machine may have none: -s -i -N -X -H -d, and -d @file.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

/** What is sent: a text, or a file without its line breaks, as curl sends it. */
const dataOf = text => (text.startsWith('@') ? readFileSync(text.slice(1), 'utf8').replace(/[\r\n]/g, '') : text)

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    silent: { type: 'boolean', short: 's' },
    include: { type: 'boolean', short: 'i' },
    'no-buffer': { type: 'boolean', short: 'N' },
    request: { type: 'string', short: 'X' },
    header: { type: 'string', short: 'H', multiple: true, default: [] },
    data: { type: 'string', short: 'd' },
  },
})
const headers = new Headers(values.data === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' })
for (const header of values.header) {
  const [name, value] = header.split(/:\s*(.*)/s)
  headers.set(name, value)
}
const response = await fetch(positionals[0], {
  method: values.request ?? (values.data === undefined ? 'GET' : 'POST'),
  headers,
  ...(values.data === undefined ? {} : { body: dataOf(values.data) }),
})
if (values.include) {
  console.log(`HTTP/1.1 ${response.status} ${response.statusText}`)
  for (const [name, value] of response.headers) console.log(`${name}: ${value}`)
  console.log('')
}
process.stdout.write(await response.text())
