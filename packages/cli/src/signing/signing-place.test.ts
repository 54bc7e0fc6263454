import type { NetworkInterfaceInfo } from 'node:os'
import { expect, test } from 'vitest'
import { lanAddresses, signingPlace } from './signing-place.ts'

const at = (address: string, more: Partial<NetworkInterfaceInfo> = {}) =>
  [{ address, family: 'IPv4', internal: false, ...more } as NetworkInterfaceInfo] as const

test('the most reachable address goes first, internal ones last', () => {
  const found = lanAddresses({
    lo: at('127.0.0.1', { internal: true }),
    docker0: at('172.17.0.1'),
    eth0: at('203.0.113.9'),
    vpn: at('10.8.0.2'),
    wlan0: [...at('192.168.1.5'), ...at('fe80::1', { family: 'IPv6' } as Partial<NetworkInterfaceInfo>)],
    usb0: at('169.254.3.4'),
    gone: undefined,
  })
  expect(found.map(({ address, network }) => `${address} ${network}`)).toEqual([
    '192.168.1.5 wlan0',
    '10.8.0.2 vpn',
    '203.0.113.9 eth0',
    '172.17.0.1 docker0',
  ])
})

test.each([
  ['Ethernet', '10.0.0.5', 'VMware Network Adapter VMnet8', '192.168.80.1'],
  ['Wi-Fi', '10.0.0.5', 'VirtualBox Host-Only Network', '192.168.56.1'],
  ['en0', '10.0.0.5', 'bridge100', '192.168.64.1'],
  ['wlan0', '2001:db8::5', 'docker0', '172.17.0.1'],
])('%s at %s ranks above %s at %s', (network, address, other, otherAddress) => {
  const interfaces = { [other]: at(otherAddress), [network]: at(address) }
  expect(lanAddresses(interfaces).map(it => it.address)).toEqual([address, otherAddress])
})

test('uses IPv6 if there is nothing else, and never a link-local address', () => {
  const both = { wlan0: [...at('fe80::1'), ...at('2001:db8::5')] }
  expect(lanAddresses(both)).toEqual([{ address: '2001:db8::5', network: 'wlan0' }])
  expect(lanAddresses({ ...both, eth0: at('192.168.1.5') }).map(({ address }) => address)).toEqual(['192.168.1.5'])
  const [found] = lanAddresses(both)
  expect(place({}, {}, [found!]).origin(4180)).toBe('http://[2001:db8::5]:4180')
})

const place = (env: Record<string, string>, options = {}, addresses = [{ address: '192.168.1.5', network: 'wlan0' }]) =>
  signingPlace({ env }, options, addresses)

test('serves the page at the first address, and lists the others', () => {
  const others = [{ address: '10.8.0.2', network: 'vpn' }]
  const found = place({}, {}, [{ address: '192.168.1.5', network: 'wlan0' }, ...others])
  expect(found).toMatchObject({ host: '192.168.1.5', others, isForPhones: true })
  expect(found.origin(4180)).toBe('http://192.168.1.5:4180')
})

test('an address can be set, and an option overrides the environment', () => {
  expect(place({ SIBYL_SIGNING_HOST: '10.8.0.2' }).origin(4180)).toBe('http://10.8.0.2:4180')
  expect(place({ SIBYL_SIGNING_HOST: '10.8.0.2' }, { host: 'laptop.local' }).origin(4180)).toBe(
    'http://laptop.local:4180',
  )
  expect(place({}, { host: '[fd00::2]' })).toMatchObject({ host: 'fd00::2' })
  expect(place({}, { host: 'fd00::2' }).origin(4180)).toBe('http://[fd00::2]:4180')
  expect(place({}, { host: '127.0.0.1' })).toMatchObject({ isForPhones: false })
})

test('a tunnel leads to this computer only', () => {
  const found = place({ SIBYL_SIGNING_URL: 'https://sign.example.org/' })
  expect(found).toMatchObject({ host: '127.0.0.1', isForPhones: true })
  expect(found.origin(4180)).toBe('https://sign.example.org')
})

test.each([
  'http://10.0.0.1',
  '10.0.0.1:4180',
  'a b',
  '-x',
  'fe80::1%eth0',
  'laptop.0x',
  '0.0.0.0',
  '0',
  '::',
  '[::0]',
])('%j is not a host', host => {
  expect(() => place({}, { host })).toThrow(expect.objectContaining({ code: 'usage_invalid', exitCode: 2 }))
})

test.each([
  'http://sign.example.org',
  'https://sign.example.org/path',
  'https://a:b@sign.example.org',
  'sign.example.org',
])('%s is not a tunnel', url => {
  expect(() => place({}, { url })).toThrow(expect.objectContaining({ code: 'usage_invalid' }))
})

test('without a network it shows how a browser on this computer signs', () => {
  expect(() => place({}, {}, [])).toThrow(
    expect.objectContaining({
      code: 'signing_offline',
      exitCode: 4,
      remedy: expect.stringContaining('SIBYL_SIGNING_HOST=127.0.0.1'),
    }),
  )
})
