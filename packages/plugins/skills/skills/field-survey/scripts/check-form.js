// Checks the questionnaire in form.json, in the shape of assets/form.json, and prints a line for each fault and hint. Hints
// about words are for English; a form in another language says so: "language": "sw".

const gsm =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
const twice = '\f^{}\\[~]|€'
const room = { ussd: { gsm: 182, other: 80 }, sms: { gsm: 160, other: 70 } }
const channels = ['ussd', 'sms', 'app', 'interview']
const types = ['choice', 'number', 'text']
const end = 'end'

const measure = text => {
  let length = 0
  for (const character of text) {
    if (!gsm.includes(character) && !twice.includes(character)) return { length: text.length, odd: character }
    length += twice.includes(character) ? 2 : 1
  }
  return { length }
}

const objectOf = value => (typeof value === 'object' && value !== null ? value : {})
const optionsOf = question => (Array.isArray(question.options) ? question.options.map(objectOf) : [])
const screenOf = question =>
  [question.text, ...optionsOf(question).map((option, index) => `${index + 1}. ${option.label}`)].join('\n')

/** Where a question can lead: choices first, then its own `goto`, else the next one. */
const nextOf = (question, index, questions) => {
  const otherwise = question.goto ?? questions[index + 1]?.id ?? end
  const options = optionsOf(question)
  return options.length === 0 ? [otherwise] : options.map(option => option.goto ?? otherwise)
}

const checkScreen = (question, channel, tell) => {
  const limit = Object.hasOwn(room, channel) ? room[channel] : undefined
  if (!limit) return
  const { length, odd } = measure(screenOf(question))
  const most = odd === undefined ? limit.gsm : limit.other
  const because = odd === undefined ? '' : `, because of '${odd}'`
  if (length > most) tell('fault', `its screen has ${length} characters, and ${most} fit${because}`)
  else if (odd !== undefined) tell('hint', `'${odd}' leaves room for ${most} characters alone; ${length} are used`)
}

const checkAnswers = (question, { channel, inEnglish }, tell) => {
  const options = optionsOf(question)
  const labels = options.map(option =>
    String(option.label ?? '')
      .trim()
      .toLowerCase(),
  )
  if (!types.includes(question.type)) tell('fault', `its type must be one of ${types.join(', ')}`)
  if (question.type === 'choice') {
    if (options.length < 2) tell('fault', 'a choice needs at least two options')
    if (labels.includes('')) tell('fault', 'an option has no label')
    if (new Set(labels).size < labels.length) tell('fault', 'two of its options are the same')
    if (channel === 'ussd' && options.length > 7)
      tell('fault', `it has ${options.length} options; at most 7 on a screen`)
    const isOpen = labels.some(label => /\b(other|do not know|don't know|none|no answer|no)\b/.test(label))
    if (inEnglish && !isOpen) tell('hint', "it has no way out: add 'Other' or 'Do not know'")
  } else if (options.length > 0) tell('fault', `a question of the type ${question.type} has no options`)
  if (question.type === 'number') {
    const { min, max } = question
    if (typeof min !== 'number' || typeof max !== 'number') tell('hint', 'give min and max, so that slips are caught')
    else if (min >= max) tell('fault', 'min is not below max')
  }
  if (question.type === 'text' && channel === 'ussd')
    tell('hint', 'few people type a text on such a phone: offer choices')
}

const checkWording = (text, { inEnglish }, tell) => {
  if ((text.match(/[?؟፧？]/g) ?? []).length > 1) tell('hint', 'it seems to ask two things')
  if (text.trim().split(/\s+/).length > 25) tell('hint', 'it has more than 25 words')
  if (!inEnglish) return
  if (/\b(usually|generally|often|regularly)\b/i.test(text))
    tell('hint', "ask about yesterday or last week, not 'usually'")
  if (/\b(don't you|do you agree|isn't it)\b/i.test(text)) tell('hint', 'it gives its own answer')
}

const checkForm = form => {
  const questions = Array.isArray(form.questions) ? form.questions.map(objectOf) : []
  const { channel = 'ussd', language = 'en' } = form
  const inEnglish = /^en/i.test(language)
  const setting = { channel, inEnglish }
  const lines = []
  const teller = name => (kind, text) => lines.push({ kind, text: `${name}: ${text}` })
  const whole = teller('form')
  if (questions.length === 0) whole('fault', 'it has no questions')
  if (channel === 'ussd' && questions.length > 10)
    whole('hint', `${questions.length} questions; people stay for about 10`)
  if (!channels.includes(channel))
    whole('hint', `the channel '${channel}' is not known (${channels.join(', ')}): no lengths are checked`)
  if (inEnglish && !questions.slice(0, 2).some(({ text }) => /refuse|agree|consent|voluntary/i.test(text ?? '')))
    whole('hint', 'ask for consent in the first question, and say that refusing is free')

  const ids = questions.map(({ id }) => id)
  const reached = new Set([ids[0]])
  for (const [index, question] of questions.entries()) {
    const tell = teller(question.id ?? `question ${index + 1}`)
    if (typeof question.id !== 'string' || question.id === '' || question.id === end) tell('fault', 'it needs an id')
    else if (ids.indexOf(question.id) !== index) tell('fault', 'an earlier question has the same id')
    if (typeof question.text !== 'string' || question.text.trim() === '') {
      tell('fault', 'it has no text')
      continue
    }
    checkScreen(question, channel, tell)
    checkAnswers(question, setting, tell)
    checkWording(question.text, setting, tell)
    for (const next of nextOf(question, index, questions)) {
      if (next === end) continue
      if (!ids.includes(next)) tell('fault', `it leads to '${next}', which is not there`)
      else if (ids.indexOf(next) <= index) tell('fault', `it leads back to '${next}': the survey may never end`)
      else if (reached.has(question.id)) reached.add(next)
    }
  }
  for (const id of ids) if (id !== undefined && !reached.has(id)) teller(id)('fault', 'nobody gets there')
  return { count: questions.length, lines, inEnglish }
}

const { count, lines, inEnglish } = checkForm(objectOf(JSON.parse(files.read('form.json'))))
for (const { kind, text } of lines.toSorted((one, other) => one.kind.localeCompare(other.kind))) {
  console.log(`${kind === 'fault' ? 'Fault' : 'Hint '}  ${text}`)
}
const faults = lines.filter(({ kind }) => kind === 'fault').length
console.log(
  lines.length === 0
    ? `Nothing is wrong with the ${count} questions.`
    : `Faults: ${faults}, hints: ${lines.length - faults}, questions: ${count}.`,
)
if (!inEnglish) console.log('Consent, wording and ways out are checked in English alone: look at them yourself.')
