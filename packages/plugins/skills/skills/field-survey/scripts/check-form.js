// Checks the questionnaire in form.json, in the form of assets/form.json, and prints a line for each problem and hint.
// Hints about wording are for English; a form in another language sets "language", such as "sw".

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

/** Returns where a question can lead: choices first, then its own `goto`, else the next one. */
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
  if (length > most) tell('error', `its screen has ${length} characters; the maximum is ${most}${because}`)
  else if (odd !== undefined) tell('hint', `'${odd}' limits the screen to ${most} characters; ${length} are used`)
}

const checkAnswers = (question, { channel, inEnglish }, tell) => {
  const options = optionsOf(question)
  const labels = options.map(option =>
    String(option.label ?? '')
      .trim()
      .toLowerCase(),
  )
  if (!types.includes(question.type)) tell('error', `its type must be one of ${types.join(', ')}`)
  if (question.type === 'choice') {
    if (options.length < 2) tell('error', 'a choice needs at least two options')
    if (labels.includes('')) tell('error', 'an option has no label')
    if (new Set(labels).size < labels.length) tell('error', 'two of its options are the same')
    if (channel === 'ussd' && options.length > 7)
      tell('error', `it has ${options.length} options; at most 7 on a screen`)
    const isOpen = labels.some(label => /\b(other|do not know|don't know|none|no answer|no)\b/.test(label))
    if (inEnglish && !isOpen) tell('hint', "it has no neutral option: add 'Other' or 'Do not know'")
  } else if (options.length > 0) tell('error', `a question of the type ${question.type} has no options`)
  if (question.type === 'number') {
    const { min, max } = question
    if (typeof min !== 'number' || typeof max !== 'number') tell('hint', 'set min and max to catch typing errors')
    else if (min >= max) tell('error', 'min is not below max')
  }
  if (question.type === 'text' && channel === 'ussd')
    tell('hint', 'text is slow to type on such a phone: offer choices')
}

const checkWording = (text, { inEnglish }, tell) => {
  if ((text.match(/[?؟፧？]/g) ?? []).length > 1) tell('hint', 'it seems to ask two things')
  if (text.trim().split(/\s+/).length > 25) tell('hint', 'it has more than 25 words; shorten it')
  if (!inEnglish) return
  if (/\b(usually|generally|often|regularly)\b/i.test(text))
    tell('hint', "ask about yesterday or last week, not 'usually'")
  if (/\b(don't you|do you agree|isn't it)\b/i.test(text)) tell('hint', 'it suggests an answer')
}

const checkForm = form => {
  const questions = Array.isArray(form.questions) ? form.questions.map(objectOf) : []
  const { channel = 'ussd', language = 'en' } = form
  const inEnglish = /^en/i.test(language)
  const setting = { channel, inEnglish }
  const lines = []
  const teller = name => (kind, text) => lines.push({ kind, text: `${name}: ${text}` })
  const whole = teller('form')
  if (questions.length === 0) whole('error', 'it has no questions')
  if (channel === 'ussd' && questions.length > 10)
    whole('hint', `${questions.length} questions; most people stop after about 10`)
  if (!channels.includes(channel))
    whole('hint', `the channel '${channel}' is unknown (${channels.join(', ')}): lengths are not checked`)
  if (inEnglish && !questions.slice(0, 2).some(({ text }) => /refuse|agree|consent|voluntary/i.test(text ?? '')))
    whole('hint', 'ask for consent in the first question, and say that people may refuse')

  const ids = questions.map(({ id }) => id)
  const reached = new Set([ids[0]])
  for (const [index, question] of questions.entries()) {
    const tell = teller(question.id ?? `question ${index + 1}`)
    if (typeof question.id !== 'string' || question.id === '' || question.id === end) tell('error', 'it needs an id')
    else if (ids.indexOf(question.id) !== index) tell('error', 'an earlier question has the same id')
    if (typeof question.text !== 'string' || question.text.trim() === '') {
      tell('error', 'it has no text')
      continue
    }
    checkScreen(question, channel, tell)
    checkAnswers(question, setting, tell)
    checkWording(question.text, setting, tell)
    for (const next of nextOf(question, index, questions)) {
      if (next === end) continue
      if (!ids.includes(next)) tell('error', `it leads to '${next}', which does not exist`)
      else if (ids.indexOf(next) <= index) tell('error', `it leads back to '${next}': the survey may never end`)
      else if (reached.has(question.id)) reached.add(next)
    }
  }
  for (const id of ids) if (id !== undefined && !reached.has(id)) teller(id)('error', 'no question leads here')
  return { count: questions.length, lines, inEnglish }
}

const { count, lines, inEnglish } = checkForm(objectOf(JSON.parse(files.read('form.json'))))
for (const { kind, text } of lines.toSorted((one, other) => one.kind.localeCompare(other.kind))) {
  console.log(`${kind === 'error' ? 'Error' : 'Hint '}  ${text}`)
}
const faults = lines.filter(({ kind }) => kind === 'error').length
console.log(
  lines.length === 0
    ? `All ${count} questions are valid.`
    : `Errors: ${faults}, hints: ${lines.length - faults}, questions: ${count}.`,
)
if (!inEnglish) console.log('Consent, wording and neutral options are only checked in English. Check them yourself.')
