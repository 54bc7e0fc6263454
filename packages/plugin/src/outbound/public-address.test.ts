import { expect, test } from 'vitest'
import { addressRules } from './public-address.ts'

const [usual, own] = [addressRules(false), addressRules(true)]

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '2606:4700::1111',
  '2a00:1450:4001::1',
])('%s is public', address => {
  expect(usual(address)).toBe(true)
  expect(own(address)).toBe(true)
})

test.each(['10.0.0.1', '100.64.0.1', '127.0.0.1', '127.255.255.254', '172.16.0.1', '192.168.1.1', '::1', 'fd12::1'])(
  '%s is private',
  address => {
    expect(usual(address)).toBe(false)
    expect(own(address)).toBe(true)
  },
)

test.each([
  ['nobody', '0.0.0.0'],
  ['link-local', '169.254.1.1'],
  ['metadata', '169.254.169.254'],
  ['metadata', '168.63.129.16'],
  ['metadata', '100.100.100.200'],
  ['metadata', 'fd00:ec2::254'],
  ['link-local', 'fe80::1'],
  ['with a zone', 'fe80::1%eth0'],
  ['unspecified', '::'],
  ['mapped', '::ffff:127.0.0.1'],
  ['mapped', '::ffff:7f00:1'],
  ['mapped', '::ffff:8.8.8.8'],
  ['compatible', '::127.0.0.1'],
  ['translated', '::ffff:0:127.0.0.1'],
  ['NAT64', '64:ff9b::7f00:1'],
  ['NAT64', '64:ff9b:1::7f00:1'],
  ['6to4', '2002:7f00:1::'],
  ['Teredo', '2001:0:7f00:1::'],
  ['documentation', '2001:db8::1'],
  ['documentation', '192.0.2.1'],
  ['site-local', 'fec0::1'],
  ['multicast', '224.0.0.1'],
  ['multicast', 'ff02::1'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['benchmarks', '198.18.0.1'],
  ['none at all', 'localhost'],
  ['none at all', ''],
  ['none at all', '127.1'],
])('what is %s is never allowed: %s', (_, address) => {
  expect(usual(address)).toBe(false)
  expect(own(address)).toBe(false)
})
