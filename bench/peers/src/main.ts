/**
 * Starts one of the two peers and tells its parent process the port. Settings, all required: `PEER` (`save`: NestJS on
 * Express, entities saved by repositories; `insert`: on Fastify, inserts by the query builder) and the database in the
 * variables that libpq knows (`PGHOST`, `PGPORT`, `PGUSER`, `PGDATABASE`).
 */
import 'reflect-metadata';
import { Module, ValidationPipe, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ENTITIES } from './rows.js';
import { SignUpController } from './sign-up.controller.js';
import { InsertingSignUpService, SavingSignUpService, SignUpService } from './sign-up.service.js';

const { PEER, PGHOST, PGPORT, PGUSER, PGPASSWORD, PGDATABASE } = process.env;
const saves = PEER === 'save';

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'postgres',
      host: PGHOST,
      port: Number(PGPORT),
      username: PGUSER,
      password: PGPASSWORD,
      database: PGDATABASE,
      entities: ENTITIES,
      synchronize: false,
      logging: false,
      poolSize: 20,
    }),
  ],
  controllers: [SignUpController],
  providers: [{ provide: SignUpService, useClass: saves ? SavingSignUpService : InsertingSignUpService }],
})
class AppModule {}

const app: INestApplication = saves
  ? await NestFactory.create(AppModule, new ExpressAdapter(), { logger: false })
  : await NestFactory.create(AppModule, new FastifyAdapter({ logger: false }), { logger: false });
app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true, forbidNonWhitelisted: true }));
app.enableShutdownHooks();
await app.listen(0, '127.0.0.1');
process.send?.(Number(new URL(await app.getUrl()).port));
