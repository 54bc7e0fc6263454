/**
 * Runs a homeserver as a process of its own: prints its address and that of its control on one line each, and serves until
 * SIGINT or SIGTERM; with `--attached` until its standard input ends, as it does when whoever started it is gone.
 *
 *     node --conditions=sibyl-source src/testing/homeserver-process.test.support.ts --port 8008 --user oracle:password
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { Homeserver } from './homeserver.test.support.ts'
import { isOrder, type Order } from './homeserver-orders.test.support.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8008' },
    'server-name': { type: 'string', default: 'localhost' },
    'state-file': { type: 'string' },
    user: { type: 'string', multiple: true, default: [] },
    attached: { type: 'boolean', default: false },
  },
})

const stateFile = values['state-file']
const homeserver = await Homeserver.start({
  port: Number(values.port),
  serverName: values['server-name'],
  stateFile,
})
for (const user of values.user) {
  const [name = '', ...password] = user.split(':')
  if (!homeserver.state.data.accounts.has(homeserver.state.userIdOf(name))) homeserver.addUser(name, password.join(':'))
}
homeserver.save()

const control = createServer(async (request, response) => {
  try {
    const order = (await json(request)) as Order
    if (!isOrder(order)) throw new Error('No such order')
    const method = homeserver[order.name] as (...args: unknown[]) => unknown
    const answer = await method.apply(homeserver, [...order.args])
    homeserver.save()
    response.end(JSON.stringify({ answer }))
  } catch (error) {
    response.writeHead(400).end(JSON.stringify({ error: String(error) }))
  }
})
control.listen(0, '127.0.0.1', () => {
  console.log(`homeserver ${homeserver.url}`)
  console.log(`control    http://127.0.0.1:${(control.address() as AddressInfo).port}`)
})

const end = () => {
  control.close()
  control.closeAllConnections()
  process.stdin.destroy()
  void homeserver.down()
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
if (values.attached) process.stdin.once('end', end).resume()
