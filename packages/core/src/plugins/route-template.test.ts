import { describe, expect, test } from 'vitest'
import { covers, overlaps, type RouteTemplate, readRouteTemplate } from './route-template.ts'

const route = (text: string): RouteTemplate => {
  const [method, path] = text.split(' ')
  const template = readRouteTemplate(method, path)
  if (typeof template === 'string') throw new Error(`${text}: ${template}`)
  return template
}

describe('a template', () => {
  test.each([
    ['get', '/'],
    ['post', '/api/ussd'],
    ['get', '/.well-known/oracle.json'],
    ['post', '/a2a/message:send'],
    ['get', '/1.0/identifiers/{did}'],
    ['delete', '/memory/:id'],
    ['HEAD', '/files/{path{.+}}'],
    ['get', '/files/:path{.+}'],
    ['patch', '/items/{id{[0-9]+}}'],
  ])('is parsed: %s %s', (method, path) => {
    expect(readRouteTemplate(method, path)).toMatchObject({ text: `${method.toUpperCase()} ${path}` })
  })

  test.each([
    ['connect', '/x'],
    ['options', '/x'],
    [7, '/x'],
    [undefined, undefined],
    ['get', 'x'],
    ['get', ''],
    ['get', '//x'],
    ['get', '/x/'],
    ['get', '/x//y'],
    ['get', '/x/../y'],
    ['get', '/./x'],
    ['get', '/x/%2e%2e/y'],
    ['get', '/x\\y'],
    ['get', '/x?y=1'],
    ['get', '/x#y'],
    ['get', '/x y'],
    ['get', '/x\n'],
    ['get', '/*'],
    ['get', '/x/*'],
    ['get', '/:id?'],
    ['get', '/x:'],
    ['get', '/x:{id}'],
    ['get', '/{id}.json'],
    ['get', '/{}'],
    ['get', '/{1a}'],
    ['get', '/{path{.+}}/more'],
    ['get', '/{path{.*(.|x)}}'],
    ['get', '/ü'],
    ['get', `/${'x'.repeat(300)}`],
  ])('is rejected: %s %j', (method, path) => {
    expect(readRouteTemplate(method, path)).toEqual(expect.any(String))
  })
})

test.each([
  ['GET /x', 'GET /x', true],
  ['GET /x', 'HEAD /x', true],
  ['GET /x', 'POST /x', false],
  ['GET /x', 'GET /X', false],
  ['GET /x/{id}', 'GET /x/:name', true],
  ['GET /x/{id}', 'GET /x/new', true],
  ['GET /{page}', 'GET /health', true],
  ['GET /x/{id}', 'GET /x', false],
  ['GET /x/{id}/y', 'GET /x/{id}/z', false],
  ['GET /a/{id}', 'GET /{kind}/b', true],
  ['GET /files/{path{.+}}', 'GET /files/a/b/c', true],
  ['GET /files/{path{.+}}', 'GET /files', false],
  ['GET /x/{id{[0-9]+}}', 'GET /x/new', false],
  ['GET /x/{id{[0-9]+}}', 'GET /x/7', true],
  ['GET /x/{id{[0-9]+}}', 'GET /x/{name{[a-z]+}}', true],
  ['GET /', 'GET /{page}', false],
])('%s and %s overlap: %s', (one, other, expected) => {
  expect(overlaps(route(one), route(other))).toBe(expected)
  expect(overlaps(route(other), route(one))).toBe(expected)
})

test.each([
  ['GET /x/{id}', 'GET /x/new', true],
  ['GET /x/new', 'GET /x/{id}', false],
  ['GET /x/{id}', 'GET /x/{id{[0-9]+}}', true],
  ['GET /x/{id{[0-9]+}}', 'GET /x/{id}', false],
  ['GET /x/{a{[0-9]+}}', 'GET /x/{b{[0-9]+}}', true],
  ['GET /{path{.+}}', 'GET /x/{id}/y', true],
  ['GET /x/{id}', 'GET /x/{path{.+}}', false],
  ['GET /a/{id}', 'GET /{kind}/b', false],
])('%s covers %s: %s', (wide, narrow, expected) => {
  expect(covers(route(wide), route(narrow))).toBe(expected)
})
