import { expect, it, onTestFinished, vi } from 'vitest'
import { menus, startGateway } from '../gateway.test.helper.ts'
import { MobileNetwork } from './mobile-network.ts'
import { UssdCall } from './ussd-call.ts'

const facts = { serviceCode: '*1234#', phoneNumber: '+447700900001', textMode: 'cumulative' } as const
const at = (url: string) => ({ url, secret: undefined })
const { signal } = new AbortController()

const serve = async (...given: Parameters<typeof startGateway>) => {
  const gateway = await startGateway(...given)
  onTestFinished(() => gateway.close())
  return gateway
}

it('times out like a network', async () => {
  const { url } = await serve(() => undefined)
  const call = new UssdCall(facts, new MobileNetwork(at(url), { patienceMs: 20 }))
  await expect(call.send('', signal)).rejects.toMatchObject({ code: 'gateway_timeout' })
  await expect(call.send('', signal)).rejects.toThrow(
    'No response within 0.02 s: a phone would show "connection problem"',
  )
})

it('times out for a reply that is late over a slow network, though the request was delivered', async () => {
  const patience = new AbortController()
  vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(patience.signal)
  onTestFinished(() => void vi.restoreAllMocks())
  const gateway = await serve(request => response => {
    network.slowSeconds = 60
    response.once('finish', () => patience.abort())
    response.setHeader('content-type', 'text/plain').end(menus(request))
  })
  const network = new MobileNetwork(at(gateway.url))
  await expect(new UssdCall(facts, network).send('', signal)).rejects.toMatchObject({ code: 'gateway_timeout' })
  expect(gateway.requests).toHaveLength(1)
})

it('delivers both copies of a request before either is answered', async () => {
  const answered: (() => void)[] = []
  const gateway = await serve(request => response => {
    answered.push(() => response.setHeader('content-type', 'text/plain').end(menus(request)))
    if (answered.length === 2) for (const answer of answered) answer()
  })
  const network = new MobileNetwork(at(gateway.url), { twice: true })
  const { reply, other } = await new UssdCall(facts, network).send('', signal)
  expect(reply.text).toContain('Welcome')
  expect(other).toBeUndefined()
})
