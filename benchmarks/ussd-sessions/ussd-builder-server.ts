// ussd-builder on Express, with its sessions in memory.
import type { AddressInfo } from 'node:net'
import express from 'express'
import UssdMenu from 'ussd-builder'
import { reportUrl } from './bare-server.ts'

const sessions = new Map<string, Map<string, unknown>>()
const menu = new UssdMenu()
menu.sessionConfig({
  start(sessionId: string, done: () => void) {
    if (!sessions.has(sessionId)) sessions.set(sessionId, new Map())
    done()
  },
  end(sessionId: string, done: () => void) {
    sessions.delete(sessionId)
    done()
  },
  set(sessionId: string, key: string, value: unknown, done: () => void) {
    sessions.get(sessionId)?.set(key, value)
    done()
  },
  get(sessionId: string, key: string, done: (error: Error | null, value: unknown) => void) {
    done(null, sessions.get(sessionId)?.get(key))
  },
})
menu.startState({
  run() {
    menu.con('Welcome to Sibyl\n1. Know More\n2. Account Menu\n*. Exit')
  },
  next: { '1': 'know-more', '2': 'account' },
})
menu.state('know-more', {
  run() {
    void menu.session.set('screen', 'know-more')
    menu.con('Know More\n1. About this service\n2. Pricing\n3. Delivery\n*. Exit')
  },
  next: { '1': 'about', '': 'exit' },
})
menu.state('about', {
  run() {
    void menu.session.set('screen', 'about')
    menu.con('This service answers questions on any phone.\n0. Back\n*. Exit')
  },
  next: { '0': 'know-more', '': 'exit' },
})
menu.state('account', { run: () => menu.con('Account Menu\n1. Log in\n2. Create an account\n*. Exit') })
menu.state('exit', { run: () => menu.end('Thank you. Goodbye.') })

const app = express()
app.disable('x-powered-by')
app.post('/api/ussd', express.json(), (request, response) => {
  void menu.run(request.body, (reply: string) => response.type('text/plain').send(reply))
})
const server = app.listen(0, '127.0.0.1', () => reportUrl(server.address() as AddressInfo))
