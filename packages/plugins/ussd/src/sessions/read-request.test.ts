import { describe, expect, test } from 'vitest'
import type { UssdRequest } from '../requests/ussd-request.ts'
import { duplicateWindowMs, type Reading, readRequest } from './read-request.ts'
import type { KnownSession, SessionRecord } from './session-record.ts'

const request = (more: Partial<UssdRequest>): UssdRequest => ({
  provider: 'plain',
  sessionId: 's1',
  phoneNumber: '+260971234567',
  serviceCode: '*1234#',
  event: 'input',
  text: '',
  textMode: 'cumulative',
  limits: { gsm7: 182, ucs2: 80 },
  ...more,
})

const state = { screen: 'a', page: 0, trail: [], values: {}, secrets: {}, language: 'en' }

const session = (record: Partial<SessionRecord>, more: Partial<KnownSession> = {}): KnownSession => ({
  key: 'k',
  sessionId: 's1',
  provider: 'plain',
  serviceCode: '*1234#',
  phone: '',
  caller: null,
  status: 'active',
  version: 1,
  record: { state, reply: { kind: 'continue', text: 'x' }, mode: 'cumulative', shortcut: '', ...record },
  live: true,
  idleMs: 60_000,
  ...more,
})

const textsOf = (reading: Reading): string =>
  reading.kind === 'repeat'
    ? 'repeat'
    : reading.kind === 'input'
      ? `input ${reading.typed}`
      : `begin ${reading.answers}`.trim()

describe('cumulative texts', () => {
  test.each([
    ['1', '1*2', 'input 2'],
    ['1', '1**', 'input *'],
    ['1', '1*2*3', 'input 2*3'],
    ['1', '1*', 'input '],
    ['2*Jane', '2*Jane*Doe', 'input Doe'],
    ['2*', '2**1', 'input 1'],
    [undefined, '1', 'input 1'],
    [undefined, '*', 'input *'],
    ['1', '1', 'repeat'],
    ['1*2', '1', 'repeat'],
    ['1*2', '1*20', 'begin 1*20'],
    ['1', '2', 'begin 2'],
    ['1*2', '3*1', 'begin 3*1'],
    ['1', '12', 'begin 12'],
  ])('after %s, %s means: %s', (before, text, meaning) => {
    expect(textsOf(readRequest(request({ text }), '', session(before === undefined ? {} : { text: before })))).toBe(
      meaning,
    )
  })

  test('an empty text begins again, unless it is repeated before any input', () => {
    expect(textsOf(readRequest(request({ text: '' }), '', session({ text: '1' })))).toBe('begin')
    expect(textsOf(readRequest(request({ text: '' }), '', session({})))).toBe('repeat')
    expect(textsOf(readRequest(request({ text: '' }), '', undefined))).toBe('begin')
  })

  test('a lost or expired session is walked again', () => {
    expect(textsOf(readRequest(request({ text: '1*2' }), '', undefined))).toBe('begin 1*2')
    expect(textsOf(readRequest(request({ text: '1*2' }), '', session({ text: '1' }, { live: false })))).toBe(
      'begin 1*2',
    )
    expect(textsOf(readRequest(request({ text: '1*2' }), '3', undefined))).toBe('begin 3*1*2')
  })

  test('an ended session repeats its end, and begins again with any other input', () => {
    const ended = session({ text: '1**' }, { status: 'ended' })
    expect(textsOf(readRequest(request({ text: '1**' }), '', ended))).toBe('repeat')
    expect(textsOf(readRequest(request({ text: '1' }), '', ended))).toBe('repeat')
    expect(textsOf(readRequest(request({ text: '' }), '', ended))).toBe('begin')
    expect(textsOf(readRequest(request({ text: '1***2' }), '', ended))).toBe('begin 1***2')
  })
})

describe('last answers', () => {
  const last = (text: string, more: Partial<UssdRequest> = {}) => request({ text, textMode: 'last', ...more })
  const known = (record: Partial<SessionRecord>, idleMs: number, more: Partial<KnownSession> = {}) =>
    session({ mode: 'last', ...record }, { idleMs, ...more })

  test.each([
    ['1', 60_000, '1', 'input 1'],
    ['1', duplicateWindowMs - 1, '1', 'repeat'],
    ['1', duplicateWindowMs, '1', 'input 1'],
    ['1', 1, '2', 'input 2'],
    ['1', -1, '1', 'repeat'],
    ['1', 1, '1*2', 'input 1*2'],
    ['1', 1, '', 'input '],
  ])('after %s, %i ms ago, %s means: %s', (before, idleMs, text, meaning) => {
    expect(textsOf(readRequest(last(text), '', known({ text: before }, idleMs)))).toBe(meaning)
  })

  test('a provider may set the time in which the same answer is one request', () => {
    const again = (windowMs: number) =>
      textsOf(readRequest(last('1', { duplicateWindowMs: windowMs }), '', known({ text: '1' }, 900)))
    expect([again(1_000), again(800)]).toEqual(['repeat', 'input 1'])
  })

  test("a provider's count decides, whatever the text and the time", () => {
    const at = (sequence: number, text = '1') =>
      textsOf(readRequest(last(text, { sequence }), '', known({ text: '1', sequence: 3 }, 1)))
    expect([at(3), at(2), at(4), at(3, '9')]).toEqual(['repeat', 'repeat', 'input 1', 'repeat'])
    const dial = (sequence: number, more: Partial<KnownSession> = {}) =>
      textsOf(readRequest(last('', { event: 'dial', sequence }), '', known({ text: '1', sequence: 3 }, 1, more)))
    expect([dial(1), dial(4), dial(1, { status: 'ended' })]).toEqual(['repeat', 'begin', 'begin'])
  })

  test('an answer to an unknown session begins again and answers nothing', () => {
    expect(textsOf(readRequest(last('1'), '', undefined))).toBe('begin')
    expect(textsOf(readRequest(last('1'), '', known({ text: '2' }, 1, { status: 'ended' })))).toBe('begin')
  })
})

describe('auto', () => {
  const auto = (text: string, record: Partial<SessionRecord>, idleMs = 60_000) =>
    readRequest(request({ text, textMode: 'auto' }), '', session({ mode: 'auto', ...record }, { idleMs }))

  test('treats texts as cumulative until one does not extend the previous one', () => {
    expect(auto('1', {})).toEqual({ kind: 'input', typed: '1', mode: 'auto' })
    expect(auto('1*2', { text: '1' })).toEqual({ kind: 'input', typed: '2', mode: 'cumulative' })
    expect(auto('2', { text: '1' })).toEqual({ kind: 'input', typed: '2', mode: 'last' })
  })

  test('the same first text is one request at first, and a second answer later', () => {
    expect(auto('1', { text: '1' }, 1_000)).toEqual({ kind: 'repeat' })
    expect(auto('1', { text: '1' }, 10_000)).toEqual({ kind: 'input', typed: '1', mode: 'last' })
  })

  test('keeps the detected mode', () => {
    expect(auto('9', { text: '1*2', mode: 'cumulative' })).toMatchObject({ kind: 'begin' })
    expect(auto('1*2', { text: '1', mode: 'last' })).toEqual({ kind: 'input', typed: '1*2', mode: 'last' })
  })
})
