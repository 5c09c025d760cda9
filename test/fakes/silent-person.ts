import { type AskedChoice, answerNow } from '../../src/core/domain/answer.ts'
import type { Person, Question } from '../../src/core/ports.ts'

export interface SilentPerson extends Person {
  /** What was asked, oldest first. */
  readonly asked: readonly Question[]
}

/** Gives these answers in turn, and none after them. Nobody is there when there are none at all. */
export function createSilentPerson(...answers: readonly AskedChoice[]): SilentPerson {
  const asked: Question[] = []
  const left = [...answers]
  return {
    asked,
    present: answers.length > 0,
    async ask(question) {
      asked.push(question)
      const choice = left.shift()
      return choice === undefined ? null : answerNow(choice, 'a person')
    },
  }
}
