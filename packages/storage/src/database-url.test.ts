import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parseDatabaseUrl } from './database-url.ts'

test.each([
  ['file:./.data/sibyl.db', resolve('.data/sibyl.db')],
  ['file:sibyl.db', resolve('sibyl.db')],
  ['file:/var/lib/sibyl.db', '/var/lib/sibyl.db'],
  ['file:///var/lib/my%20oracle.db', '/var/lib/my oracle.db'],
  ['memory:', undefined],
  [':memory:', undefined],
  ['file::memory:', undefined],
])('reads %s as a SQLite database', (url, path) => {
  expect(parseDatabaseUrl(url)).toEqual({ engine: 'sqlite', path })
})

test.each(['postgres://user@host/db', 'postgresql://user:secret@host:5432/db?sslmode=require'])('reads %s', url => {
  expect(parseDatabaseUrl(url)).toEqual({ engine: 'postgres', url: new URL(url) })
})

test.each([
  ['postgres://user@/db?host=/var/run/postgresql', 'postgres://user@localhost/db?host=/var/run/postgresql'],
  ['postgresql://user:secret@/db', 'postgresql://user:secret@localhost/db'],
])('reads %s, which has no host', (url, whole) => {
  expect(parseDatabaseUrl(url)).toEqual({ engine: 'postgres', url: new URL(whole) })
})

test.each([
  '',
  'sibyl.db',
  'file:',
  'file:./folder/',
  'file://host/share/a.db',
  'file:a.db?mode=ro',
  'redis://localhost',
])('refuses %j', url => {
  expect(() => parseDatabaseUrl(url)).toThrow(expect.objectContaining({ code: 'database_url_invalid' }))
})
