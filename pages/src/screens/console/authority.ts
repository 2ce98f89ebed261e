/**
 * Somebody else of the staff at this console: they give name and password for one act,
 * and the Dealer's own session stays as it is.
 */
import { ask, Problem } from '../../shared/api'
import { deviceAt } from '../../shared/keys'
import type { Answered, LoggedOn } from '../../generated/schema'
import { TableSocket, type Command } from '../../shared/socket'

export interface Somebody {
  name: string
  password: string
}

export class Authority {
  constructor(readonly table: string) {}

  /** Log on, act, log off. Raises `Problem`. */
  async as<T>(who: Somebody, act: (token: string) => Promise<T>): Promise<T> {
    const body = { ...who, device: deviceAt(this.table) }
    const { token } = await ask<LoggedOn>('/api/log-on', { method: 'POST', body, apart: true })
    try {
      return await act(token)
    } finally {
      await ask('/api/log-off', { method: 'POST', token, apart: true })
    }
  }

  /** Acts in order, each only where the one before was registered. */
  say(who: Somebody, ...commands: Command[]): Promise<Answered> {
    return this.as(who, (token) => this.#send(token, commands))
  }

  async #send(token: string, commands: readonly Command[]): Promise<Answered> {
    const socket = new TableSocket({ table: this.table, session: token, catchUp: false })
    const ended = new Promise<never>((_, reject) => {
      socket.onconnection = (connection, reason) => {
        if (connection === 'ended') reject(new Problem(0, reason ?? ''))
      }
    })
    socket.start()
    try {
      let answer: Answered | undefined
      for (const command of commands) {
        answer = await Promise.race([socket.send(command), ended])
        if (!answer.registered) break
      }
      return answer!
    } finally {
      socket.stop()
    }
  }
}
