import { bundledWords } from '../flow/flow-words.ts'

/** The default flow in English; the first lines are those of the interface. Every language has the same text names. */
export const english = {
  code: 'en',
  name: 'English',
  words: bundledWords.en,
  texts: {
    welcome: 'Welcome to {oracle}',
    knowMore: 'Know More',
    accountMenu: 'Account Menu',
    // Leads to the start screen.
    mainMenu: 'Main menu',

    // Options of Know More, and their texts without a setting of the operator.
    about: 'About this service',
    aboutText: '{oracle} answers your questions on any phone. Create an account, log in and choose Ask the oracle.',
    pricing: 'Pricing',
    pricingText: 'Price: {price}. Your network may charge for the call.',
    noPriceText: 'This service has set no price. Your network may charge for the call.',
    delivery: 'Delivery',
    deliveryText: 'Answers come on this screen, most within seconds. A late one waits for you under Last answer.',

    language: 'Language',
    chooseLanguage: 'Choose your language',
    languageSet: 'Your language is English now.',

    logIn: 'Log in',
    enterCustomerId: 'Enter your customer ID',
    customerIdForm: 'A customer ID has 9 digits.',
    enterPin: 'Enter your PIN',
    pinForm: 'A PIN has 4 to 6 digits.',
    // The same text for an unknown customer.
    wrongLogin: 'Customer ID or PIN is wrong.',
    tryAgain: 'Try again',
    forgotPin: 'Forgot PIN',
    locked: 'Too many wrong tries. Try again in {minutes} min.',

    createAccount: 'Create an account',
    enterName: 'Enter your name',
    nameForm: 'A name has 1 to 60 characters, one of them a letter.',
    enterEmail: 'Enter your e-mail, or 1 if you have none',
    emailForm: 'This is not an e-mail address.',
    accountCreated: 'Your account is ready. Your customer ID:\n{customerId}\nWrite it down, you log in with it.',
    goOn: 'Continue',

    choosePin: 'Choose a PIN of 4 to 6 digits',
    pinWeak: 'That PIN is too easy to guess.',
    repeatPin: 'Enter the PIN again',
    pinsDiffer: 'The two PINs differ.',
    // For a new PIN that equals the old one, or is easy to guess.
    pinRefused: 'Please choose another PIN than that one.',
    pinChanged: 'Your PIN is changed.',
    changePin: 'Change PIN',
    enterOldPin: 'Enter your old PIN',
    wrongPin: 'The PIN is wrong.',
    // Before a new PIN must be chosen.
    pinWasReset: 'Your PIN was reset. Please choose a new one.',

    enterIdForReset: 'Enter your customer ID. We send a code by SMS to the phone of that account.',
    // The same text for an unknown customer.
    enterCode: 'If we know that ID, a code is on its way. Enter the code',
    codeForm: 'The code has digits only.',
    wrongCode: 'The code is wrong or too old.',
    askForReset: 'Please ask the operator of this service to reset your PIN.',
    askContactForReset: 'To have your PIN reset, contact: {contact}',

    myAccount: 'My account',
    profile: 'My profile',
    profileText: '{name}\nCustomer ID: {customerId}\nPhone: {phone}\nE-mail: {email}',
    logOut: 'Log out',
    loggedOut: 'You are logged out.',
    signInAgain: 'Please log in again.',

    report: 'Report an activity',
    enterReport: 'What did you do? Tell it in a few words',
    reportForm: 'Please use 3 to 160 characters.',
    confirmReport: 'Send this report?\n{report}',
    reportSent: 'Your report is sent. Reference: {reference}',
    reportUnavailable: 'Reports cannot be taken just now. Please try later.',

    ask: 'Ask the oracle',
    enterQuestion: 'Your question',
    questionForm: 'Please use 2 to 160 characters.',
    // While the oracle answers longer than a phone waits; `1` checks again.
    answerLate: 'The oracle is still thinking. Reply 1 to check.',
    lastAnswer: 'Last answer',
    noLastAnswer: 'There is no answer for you yet.',
    oracleBusy: 'The oracle is still on your last question. See Last answer in a moment.',
    oracleUsedUp: 'The oracle has answered all it may today. Please ask again tomorrow.',
    creditUsedUp: 'Your credit for questions is used up.',
    oracleNotSetUp: 'This service cannot answer questions yet. Please tell its operator.',
    oracleUnavailable: 'The oracle cannot take questions just now. Please try again in a few minutes.',
    answerFailed: 'The oracle could not answer that. Please ask again.',
    answerInterrupted: 'The answer was interrupted. Please ask again.',
    answerActed: 'I could not finish. Some of it may be done: check before you ask again.',
  },
}
