import { expect, test } from 'vitest'
import { readAddressList } from './address-list.ts'

const has = (text: string, address: string): boolean | string => {
  const list = readAddressList(text)
  return 'fault' in list ? list.fault : list.has(address)
}

test.each([
  ['196.216.0.4', '196.216.0.4', true],
  ['196.216.0.4', '196.216.0.5', false],
  ['10.0.0.0/8', '10.255.255.255', true],
  ['10.0.0.0/8', '11.0.0.0', false],
  ['10.20.30.40/32', '10.20.30.40', true],
  ['0.0.0.0/0', '203.0.113.7', true],
  ['0.0.0.0/0', '2001:db8:0:0:0:0:0:1', false],
  ['2001:db8::1', '2001:db8:0:0:0:0:0:1', true],
  ['2001:DB8::/32', '2001:db8:ffff:0:0:0:0:1', true],
  ['2001:db8::/32', '2001:db9:0:0:0:0:0:1', false],
  ['196.216.0.4, 10.0.0.0/8  2001:db8::/32,', '10.1.2.3', true],
  ['', '10.1.2.3', false],
  ['10.0.0.0/8', '', false],
  ['10.0.0.0/8', 'gateway.example', false],
])('%s holds %s: %s', (text, address, held) => {
  expect(has(text, address)).toBe(held)
})

test.each([
  'gateway.example',
  '10.0.0',
  '10.0.0.0/33',
  '10.0.0.0/',
  '10.0.0.0/8/8',
  '10.0.0.0/-1',
  '2001:db8::/129',
  '*',
  '10.0.0.*',
  '010.0.0.1',
])('%s is neither an address nor a network', entry => {
  expect(has(`10.0.0.1, ${entry}`, '10.0.0.1')).toBe(entry)
})
