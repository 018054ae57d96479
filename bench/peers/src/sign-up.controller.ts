import { BadRequestException, Body, Controller, Headers, Post, Req, Res, UseGuards } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { idOf } from './rows.js';
import { SignUpDto } from './sign-up.dto.js';
import { SignUpService, type Shown } from './sign-up.service.js';
import { TokenGuard, type CallerRequest } from './token.guard.js';

/** What an answer of either adapter can do. */
interface Headed {
  header(name: string, value: string): unknown;
}

@Controller('subscriptions')
@UseGuards(TokenGuard)
export class SignUpController {
  constructor(private readonly signUps: SignUpService) {}

  @Post()
  async signUp(
    @Body() body: SignUpDto,
    @Headers('idempotency-key') key: string | undefined,
    @Req() request: CallerRequest,
    @Res({ passthrough: true }) response: Headed,
  ): Promise<Shown> {
    if (key === undefined || request.caller === undefined) throw new BadRequestException('Idempotency-Key is missing');
    const occasion = { ...request.caller, requestId: idOf('req', uuidv7()), now: new Date() };
    const shown = await this.signUps.signUp(body, key, occasion);
    response.header('location', `/subscriptions/${shown.id}`);
    return shown;
  }
}
