import type { Random } from '../frame/random.ts'

/** Another way to write a path. */
export type Form = (path: string, random: Random) => string

const percent = (character: string): string => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`

/** Replaces one character among those that are chosen from. */
const atOne = (path: string, random: Random, wanted: RegExp, replace: (character: string) => string): string => {
  const places = [...path].flatMap((character, index) => (wanted.test(character) ? [index] : []))
  if (places.length === 0) return path
  const at = random.pick(places)
  return path.slice(0, at) + replace(path[at]!) + path.slice(at + 1)
}

const afterSlash =
  (insert: string): Form =>
  (path, random) =>
    atOne(path, random, /\//, () => `/${insert}`)
const forSlash =
  (other: string): Form =>
  (path, random) =>
    atOne(path, random, /\//, () => other)
const inFront =
  (text: string): Form =>
  path =>
    text + path
const atEnd =
  (text: string): Form =>
  path =>
    path + text

const lookAlikes: Readonly<Record<string, string>> = { s: 'ſ', k: '\u212a', i: 'ı', e: 'е', a: 'а', c: 'с', o: 'ο' }

/** Every way to write a path, by what it plays on; raw bytes above ASCII go out as UTF-8. */
export const forms: Readonly<Record<string, readonly Form[]>> = {
  percent: [
    (path, random) => atOne(path, random, /[a-z]/, percent),
    (path, random) => atOne(path, random, /[a-z]/, character => percent(character).toUpperCase()),
    path => path.replace(/[a-z0-9.]/g, percent),
    path => path.replace(/./g, percent),
    (path, random) => atOne(path, random, /[a-z]/, character => percent(character).replace('%', '%25')),
    (path, random) => atOne(path, random, /[a-z]/, character => `%u00${percent(character).slice(1)}`),
    (path, random) => atOne(path, random, /[a-z]/, () => '%'),
    (path, random) => atOne(path, random, /[a-z]/, () => '%zz'),
    ...['%', '%2', '%zz', '%25', '%ff', '%C0', '%e2%82'].map(atEnd),
  ],
  overlong: [
    ...['%c0%af', '%e0%80%af', '%f0%80%80%af', '%c1%9c', '%2f', '%2F', '%252f', '%5c', '%255c'].map(forSlash),
    (path, random) => atOne(path, random, /s/, () => '%c1%b3'),
    ...['%c0%ae%c0%ae/', '%c0%80', '%e0%80%80'].map(afterSlash),
  ],
  dots: [
    ...['./', '././', 'x/../', '../', '%2e/', '%2e%2e/', '.%2e/', 'x/%2E%2E/', '..;/', '.../', '..%00/'].map(
      afterSlash,
    ),
    ...['/.', '/..', '/x/..', '/./', '/%2e', '.', '..', '/..;', '/../.', '%2e'].map(atEnd),
    ...['/open/..', '/open/x/../..', '/open/%2e%2e', '/open/..;', '/vault/..', '/health/..', '/open/x/..%2f..'].map(
      inFront,
    ),
  ],
  slashes: [
    ...['//', '///', '\\', '/\\', '\\/', '／', '∕'].map(forSlash),
    path => path.replaceAll('/', '//'),
    path => path.replaceAll('/', '\\'),
    ...['/', '//', '\\', '/ ', '/%20'].map(atEnd),
    ...['/', '\\', '/.', '//oracle', '/\\oracle'].map(inFront),
    path => path.slice(1),
  ],
  semicolons: [
    ...[';', ';/', ';x=1/', ';jsessionid=1/'].map(afterSlash),
    ...[';', ';x=1', ';.css', ';/open', '%3b', '%3Bx=1'].map(atEnd),
  ],
  letters: [
    path => path.toUpperCase(),
    (path, random) => atOne(path, random, /[a-z]/, character => character.toUpperCase()),
    (path, random) => atOne(path, random, /[skieaco]/, character => lookAlikes[character]!),
    (path, random) => atOne(path, random, /[a-z]/, character => `${character}\u0301`),
    (path, random) => atOne(path, random, /[a-z]/, character => String.fromCodePoint(character.charCodeAt(0) + 0xfee0)),
    (path, random) => atOne(path, random, /[a-z]/, character => `${character}\u200d`),
  ],
  controls: [
    ...['%00', '%00.html', '%0a', '%0d%0a', '%09', '%20', '%7f', '\0', '\t', ' ', '\u00a0', '\ufeff', '%ef%bb%bf'].map(
      atEnd,
    ),
    ...['%00', '%0d%0aX: y', '\0', '\t', '%20', '%ad'].map(afterSlash),
    ...['%00', '\t', '%20', '%0a'].map(inFront),
  ],
  marks: [
    ...['?', '??', '?x', '?/open/x', '?access=public', '#', '#/open', '%23', '%3f', '%3F/open', '&x', '?a[]=1'].map(
      atEnd,
    ),
    ...['*', '.json', '.html', '~', '.bak', ':', '@', '$', '=', ',', '+', '!', "'", '(', ')', '[', '|', '"', '<'].map(
      atEnd,
    ),
    ...['/?', '/#', '/open?', '/open/x?', '/open/x#', '/open/x%3f'].map(inFront),
  ],
  absolute: [
    ...['http://oracle', 'HTTP://ORACLE', 'https://oracle:443', 'http://x@oracle', 'http://oracle\\', 'http:'].map(
      inFront,
    ),
    ...['http://oracle/open/..', 'http://oracle/open/x?', 'http://', 'http:/', 'ws://oracle', 'file://'].map(inFront),
    ...['oracle', 'oracle:80', 'http://[::1]', 'http://oracle#', 'http://oracle?', 'javascript:'].map(inFront),
  ],
}
