import type { SmallDisk } from '../disk-full/small-disk.ts'
import type { Fault } from '../frame/run-fault.ts'
import { WalkingPhone } from '../ussd/walking-phone.ts'

const atOnce = 16
const phonesOpen = 64

/** Number of rejections that prove a full disk, and the time limit for them. */
const refusalsWanted = 50
const tryForMs = 10_000

/** Time limit until the oracle works again. */
const worksAgainMs = 15_000

/** Number of turns before the disk is filled. */
const turnsBefore = 1_000

/** Fills the disk under an oracle repeatedly, while phones walk through their sessions. */
export class FullDiskTrial {
  readonly customerIds: string[] = []
  readonly #fault: Fault
  readonly #url: string
  readonly #disk: SmallDisk
  readonly #counts = { turns: 0, refused: 0, wrong: 0, lost: 0, lookedBack: 0, saidWell: 0, saidIll: 0, stuck: 0 }
  readonly #oddities: string[] = []
  #slowestMs = 0
  #dialled = 0
  #phones: WalkingPhone[] = []

  constructor(fault: Fault, url: string, disk: SmallDisk) {
    this.#fault = fault
    this.#url = url
    this.#disk = disk
    this.#phones = Array.from({ length: phonesOpen }, () => this.#newPhone())
  }

  /** Fills the disk while turns are taken, tries on until enough was refused, frees it and waits until all works again. */
  async cycle(): Promise<void> {
    const counts = this.#counts
    const fillAt = counts.turns + this.#fault.random.integer(turnsBefore / 2, turnsBefore)
    await this.#walkUntil(() => counts.turns >= fillAt)
    const filled = this.#walkUntil(() => counts.turns >= fillAt + atOnce)
    this.#disk.fill()
    await filled
    const until = counts.refused + refusalsWanted
    const givenUpAt = performance.now() + tryForMs
    await this.#walkUntil(() => counts.refused >= until || performance.now() > givenUpAt)
    if ((await this.#health()) === '503 disconnected') counts.saidWell += 1
    this.#disk.free()
    await this.#worksAgain()
    if ((await this.#health()) !== '200 connected') counts.saidIll += 1
    await this.verify(this.#url)
  }

  /** Verifies the acknowledged state of every phone, or repeats a rejected request. */
  async verify(url: string): Promise<void> {
    for (const [place, phone] of this.#phones.entries()) {
      if (phone.fresh) continue
      this.#counts.lookedBack += 1
      const before = phone.shown
      const result = phone.waits ? await phone.turn(url) : await phone.repeat(url)
      if (result !== 'acknowledged') {
        this.#counts.lost += 1
        this.#oddities.push(JSON.stringify({ result, before, after: phone.heard }))
      }
      this.#renew(place)
    }
  }

  /** Reports the counts. */
  report(): void {
    const { turns, refused, wrong, lost, lookedBack, saidWell, saidIll, stuck } = this.#counts
    const { count } = this.#fault
    this.#fault.figure('times that the disk was full', count)
    this.#fault.figure('turns tried', turns)
    this.#fault.atLeast('turns answered with END Service temporarily unavailable', refused, refusalsWanted * count)
    this.#fault.atMost('turns answered out of place', wrong, 0)
    this.#fault.figure('sessions looked back at', lookedBack)
    this.#fault.atMost('acknowledged turns lost', lost, 0)
    for (const one of this.#oddities.slice(0, 5)) this.#fault.figure('odd', one)
    this.#fault.atLeast('times that /health said so', saidWell, count)
    this.#fault.atMost('times that it said so afterwards', saidIll, 0)
    this.#fault.atMost('times that it did not work again', stuck, 0)
    this.#fault.figure('slowest return to work, ms', Math.round(this.#slowestMs))
  }

  async #walkUntil(over: () => boolean): Promise<void> {
    const busy = new Set<number>()
    const work = async () => {
      while (!over()) {
        const place = this.#fault.random.integer(0, phonesOpen - 1)
        if (busy.has(place)) continue
        busy.add(place)
        await this.#turn(place)
        busy.delete(place)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
  }

  async #turn(place: number): Promise<boolean> {
    const phone = this.#phones[place]!
    const before = phone.shown
    const result = await phone.turn(this.#url)
    this.#counts.turns += 1
    if (result === 'unavailable') this.#counts.refused += 1
    else if (result !== 'acknowledged') {
      this.#counts.wrong += 1
      this.#oddities.push(JSON.stringify({ result, before, after: phone.heard }))
    }
    this.#renew(place)
    return result === 'acknowledged'
  }

  async #worksAgain(): Promise<void> {
    const started = performance.now()
    while (performance.now() - started < worksAgainMs) {
      if (!(await this.#turn(0))) continue
      this.#slowestMs = Math.max(this.#slowestMs, performance.now() - started)
      return
    }
    this.#counts.stuck += 1
  }

  async #health(): Promise<string> {
    const response = await fetch(`${this.#url}/health`)
    return `${response.status} ${((await response.json()) as { database: string }).database}`
  }

  /** Has another phone dial where one has hung up. */
  #renew(place: number): void {
    const phone = this.#phones[place]!
    if (!phone.over) return
    if (phone.customerId !== undefined) this.customerIds.push(phone.customerId)
    this.#phones[place] = this.#newPhone()
  }

  #newPhone(): WalkingPhone {
    this.#dialled += 1
    return new WalkingPhone(this.#dialled, false)
  }
}
