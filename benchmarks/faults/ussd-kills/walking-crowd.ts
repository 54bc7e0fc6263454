import type { Random } from '../frame/random.ts'
import { PlainCall } from '../ussd/plain-call.ts'
import { WalkingPhone } from '../ussd/walking-phone.ts'

/** Number of phones, and of phones that call at the same time. */
export interface CrowdOptions {
  readonly random: Random
  readonly open: number
  readonly atOnce: number
  /** Whether they come to the action that works outside. */
  readonly notes: boolean
}

/** Duration of a walk, and the moment of its end. */
export interface Walk {
  readonly forMs: number
  /** In the tick in which a phone is acknowledged a turn, or in the middle of an action, once it has had its effect outside. */
  readonly endsWith: 'acknowledged' | 'note'
  readonly end: () => void
}

/** Phones in the middle of their sessions; another one dials where one has hung up. */
export class WalkingCrowd {
  readonly counts = { acknowledged: 0, broken: 0, lookedBack: 0, lost: 0, wrong: 0 }
  readonly lost: string[] = []
  readonly wrong: string[] = []
  /** Minimum number of open sessions at the end of a walk. */
  fewestOpen = Number.POSITIVE_INFINITY
  readonly #random: Random
  readonly #atOnce: number
  readonly #notes: boolean
  readonly #phones: WalkingPhone[]
  readonly #hungUp: WalkingPhone[] = []
  #dialled = 0
  #amidNote = () => {}

  constructor({ random, open, atOnce, notes }: CrowdOptions) {
    this.#notes = notes
    this.#random = random
    this.#atOnce = atOnce
    this.#phones = Array.from({ length: open }, () => this.#newPhone())
  }

  /** The customer ids that were acknowledged. */
  get customerIds(): readonly string[] {
    return this.#everybody.flatMap(({ customerId }) => customerId ?? [])
  }

  /** Returns the phones whose action was acknowledged. */
  get noted(): readonly string[] {
    return this.#everybody.filter(({ noted }) => noted).map(({ phoneNumber }) => phoneNumber)
  }

  get #everybody(): readonly WalkingPhone[] {
    return [...this.#hungUp, ...this.#phones]
  }

  /** Waits for any answer of an oracle. */
  async firstAnswer(url: string): Promise<void> {
    await new PlainCall(url, '+260960000000').answer()
  }

  /** Called when an action has had its external effect, and has not ended. */
  noteIsThere(): void {
    this.#amidNote()
  }

  /** Takes turns at any phones until the end, which comes when the time is over and the moment is there. */
  async walk(url: string, { forMs, endsWith, end }: Walk): Promise<void> {
    await this.#each(
      this.#phones.filter(phone => phone.fresh),
      phone => this.#turn(phone, url),
    )
    const busy = new Set<WalkingPhone>()
    const due = performance.now() + forMs
    let over = false
    const finish = () => {
      if (over || performance.now() < due) return
      over = true
      this.fewestOpen = Math.min(
        this.fewestOpen,
        this.#phones.filter(({ fresh, over: hung }) => !fresh && !hung).length,
      )
      end()
    }
    this.#amidNote = endsWith === 'note' ? finish : () => {}
    const work = async () => {
      while (!over) {
        const place = this.#freePlace(busy)
        const phone = this.#phones[place]!
        busy.add(phone)
        await this.#turn(phone, url, endsWith === 'acknowledged' ? finish : undefined)
        busy.delete(phone)
        this.#renew(place)
      }
    }
    await Promise.all(Array.from({ length: this.#atOnce }, work))
  }

  /** Verifies the acknowledged state of every phone, or repeats an interrupted request. */
  async verify(url: string): Promise<void> {
    await this.#each(
      this.#phones.filter(phone => !phone.fresh),
      async phone => {
        this.counts.lookedBack += 1
        const before = phone.shown
        const result = phone.waits ? await phone.turn(url) : await phone.repeat(url)
        if (result === 'acknowledged') return
        this.counts.lost += 1
        this.lost.push(JSON.stringify({ result, before, after: phone.heard }))
      },
    )
    for (const place of this.#phones.keys()) this.#renew(place)
  }

  async #turn(phone: WalkingPhone, url: string, heard = () => {}): Promise<void> {
    const before = phone.shown
    const result = await phone.turn(url)
    if (result === 'broken') {
      this.counts.broken += 1
      return
    }
    if (result === 'acknowledged') {
      this.counts.acknowledged += 1
      heard()
    } else {
      this.counts.wrong += 1
      this.wrong.push(JSON.stringify({ result, before, after: phone.heard }))
    }
  }

  /** Has another phone dial where one has hung up. */
  #renew(place: number): void {
    const phone = this.#phones[place]!
    if (!phone.over) return
    this.#hungUp.push(phone)
    this.#phones[place] = this.#newPhone()
  }

  async #each(phones: readonly WalkingPhone[], work: (phone: WalkingPhone) => Promise<void>): Promise<void> {
    let next = 0
    const worker = async () => {
      for (let phone = phones[next++]; phone; phone = phones[next++]) await work(phone)
    }
    await Promise.all(Array.from({ length: this.#atOnce }, worker))
  }

  #freePlace(busy: ReadonlySet<WalkingPhone>): number {
    for (;;) {
      const place = this.#random.integer(0, this.#phones.length - 1)
      if (!busy.has(this.#phones[place]!)) return place
    }
  }

  #newPhone(): WalkingPhone {
    this.#dialled += 1
    return new WalkingPhone(this.#dialled, this.#notes)
  }
}
