import type { AddressList } from '@sibyl/plugin'
import { networksOf, normalAddress, readAddressList } from '@sibyl/plugin/host'
import { describe, expect, test } from 'vitest'
import { clientAddress } from './client-address.ts'

describe('an address has one text form', () => {
  test.each([
    ['1.2.3.4', '1.2.3.4'],
    [' 1.2.3.4\t', '1.2.3.4'],
    ['1.2.3.4:5678', '1.2.3.4'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['::FFFF:1.2.3.4', '1.2.3.4'],
    ['::ffff:102:304', '1.2.3.4'],
    ['0:0:0:0:0:ffff:0102:0304', '1.2.3.4'],
    ['[::ffff:1.2.3.4]:80', '1.2.3.4'],
    ['::1', '0:0:0:0:0:0:0:1'],
    ['2001:DB8::00a1', '2001:db8:0:0:0:0:0:a1'],
    ['[2001:db8::1]', '2001:db8:0:0:0:0:0:1'],
    ['[2001:db8::1]:443', '2001:db8:0:0:0:0:0:1'],
    ['2001:db8:0:0::1', '2001:db8:0:0:0:0:0:1'],
    ['fe80::1%eth0', 'fe80:0:0:0:0:0:0:1'],
    ['[fe80::1%25eth0]:443', 'fe80:0:0:0:0:0:0:1'],
    ['::', '0:0:0:0:0:0:0:0'],
    ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
    ['64:ff9b::1.2.3.4', '64:ff9b:0:0:0:0:102:304'],
  ])('%s', (text, address) => expect(normalAddress(text)).toBe(address))

  test.each([
    '',
    'unknown',
    '_hidden',
    '1.2.3',
    '1.2.3.4.5',
    '01.2.3.4',
    '0x1.2.3.4',
    '16909060',
    '1.2.3.256',
    '1.2.3.4:',
    '1.2.3.4:123456',
    '[1::2',
    '1::2]:80',
    '1:::2',
    ':::1',
    '1:2:3:4:5:6:7:8:9',
    '1.2.3.4%eth0',
    '"1.2.3.4"',
    'for=1.2.3.4',
    '1.2.3.4 5.6.7.8',
    '１.２.３.４',
    `${'0'.repeat(100)}1.2.3.4`,
    '\0',
  ])('%j is not an address', text => expect(normalAddress(text)).toBeUndefined())
})

test('IPv6 is counted by /64: one count per customer', () => {
  const own = (text: string) => networksOf(normalAddress(text)!).own
  expect(own('2001:db8:1:2::1')).toBe(own('2001:db8:1:2:ffff:ffff:ffff:ffff'))
  expect(own('2001:db8:1:2::1')).not.toBe(own('2001:db8:1:3::1'))
  expect(own('::ffff:1.2.3.4')).toBe(own('1.2.3.4'))
  expect(own('1.2.3.4')).not.toBe(own('1.2.3.5'))
})

const socket = '10.0.0.2'
const from = readAddressList('10.0.0.0/8, 127.0.0.1, fd00::/8') as AddressList

describe('the client behind proxies', () => {
  const many = Array.from({ length: 1_000 }, (_, index) => `6.6.${index >> 8}.${index & 255}`).join(', ')
  test.each<[string, number, string | undefined, string]>([
    ['no proxy is trusted', 0, '6.6.6.6', socket],
    ['no header', 1, undefined, socket],
    ['an empty header', 1, '', socket],
    ['one proxy, one entry', 1, '203.0.113.9', '203.0.113.9'],
    ['what the client wrote is left of it', 1, '6.6.6.6, 203.0.113.9', '203.0.113.9'],
    ['1,000 entries', 1, `${many}, 203.0.113.9`, '203.0.113.9'],
    ['two proxies', 2, '6.6.6.6, 203.0.113.9, 10.0.0.3', '203.0.113.9'],
    ['two proxies, and the outer one was left out', 2, '203.0.113.9', '203.0.113.9'],
    ['three proxies', 3, '6.6.6.6,203.0.113.9,10.0.0.4,10.0.0.3', '203.0.113.9'],
    ['garbage left of it', 1, ',,,junk,\t, 203.0.113.9', '203.0.113.9'],
    ['garbage in place of the address', 1, '6.6.6.6, unknown', socket],
    ['garbage of the outer proxy', 2, '6.6.6.6, unknown, 10.0.0.3', '10.0.0.3'],
    ['nothing where the address should be', 1, '6.6.6.6,', socket],
    ['commas alone', 2, ',,', socket],
    ['a port', 1, '6.6.6.6, 203.0.113.9:61000', '203.0.113.9'],
    ['brackets', 1, '6.6.6.6, [2001:db8::9]:61000', '2001:db8:0:0:0:0:0:9'],
    ['IPv4 inside IPv6', 1, '6.6.6.6, ::ffff:203.0.113.9', '203.0.113.9'],
  ])('%s', (_, hops, forwardedFor, address) => {
    expect(clientAddress({ remoteAddress: socket, forwardedFor }, { hops, from }).address).toBe(address)
  })

  test.each<[string, string, number, string, string, string | undefined]>([
    ['a caller that is not a proxy', '203.0.113.5', 1, '6.6.6.6', '203.0.113.5', 'TRUST_PROXY_FROM'],
    ['one that names a private address', '203.0.113.5', 2, '10.0.0.9, 10.0.0.3', '203.0.113.5', 'TRUST_PROXY_FROM'],
    ['an IPv6 proxy', 'fd00::2', 1, '203.0.113.9', '203.0.113.9', undefined],
    ['an IPv6 caller that is not a proxy', '2001:db8::2', 1, '6.6.6.6', '2001:db8:0:0:0:0:0:2', 'TRUST_PROXY_FROM'],
    ['a proxy on a socket of both families', '::ffff:10.0.0.2', 1, '203.0.113.9', '203.0.113.9', undefined],
    ['a caller on a socket of both families', '::ffff:203.0.113.5', 1, '6.6.6.6', '203.0.113.5', 'TRUST_PROXY_FROM'],
    ['a proxy with a zone', 'fd00::2%eth0', 1, '203.0.113.9', '203.0.113.9', undefined],
    ['a client that went around the outer proxy', socket, 2, '6.6.6.6, 203.0.113.9', '203.0.113.9', 'TRUST_PROXY_FROM'],
    ['an inner proxy written in IPv6', socket, 2, '203.0.113.9, ::ffff:10.0.0.3', '203.0.113.9', undefined],
    ['garbage of the inner proxy', socket, 2, '6.6.6.6, unknown', socket, undefined],
    ['no proxy is trusted', socket, 0, '6.6.6.6', socket, 'TRUST_PROXY_ENABLED'],
  ])('%s', (_, remoteAddress, hops, forwardedFor, address, ignoredBy) => {
    const client = clientAddress({ remoteAddress, forwardedFor }, { hops, from })
    expect([client.address, client.ignoredBy]).toEqual([address, ignoredBy])
  })

  test('a dual-stack socket address is read as IPv4', () => {
    const signs = { remoteAddress: '::ffff:203.0.113.9', forwardedFor: '6.6.6.6' }
    expect(clientAddress(signs, { hops: 0, from }).address).toBe('203.0.113.9')
  })

  test('is undefined without a socket address', () => {
    const signs = { remoteAddress: undefined, forwardedFor: '6.6.6.6' }
    expect([0, 1].map(hops => clientAddress(signs, { hops, from }).address)).toEqual([undefined, undefined])
  })
})
