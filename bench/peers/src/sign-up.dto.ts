/** The body of a sign-up, checked as Wattline's own schema checks it (openapi/openapi.json, `SignUp`). */
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  Equals,
  IsArray,
  IsBoolean,
  IsDateString,
  IsEmail,
  IsIBAN,
  IsIn,
  IsNotEmptyObject,
  IsNumber,
  IsObject,
  IsOptional,
  IsPositive,
  IsString,
  Length,
  Matches,
  Max,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';

const ONE_LINE = /^[^\p{Cc}\p{Cs}]*\S[^\p{Cc}\p{Cs}]*$/u;
const reference = (prefix: string): RegExp => new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`);

/** A text of one line. */
const IsLine =
  (maximum: number): PropertyDecorator =>
  (target, property) => {
    IsString()(target, property as string);
    Length(1, maximum)(target, property as string);
    Matches(ONE_LINE)(target, property as string);
  };

/** A market location: eleven digits, the last one a check digit. */
const IsMarketLocation = (): PropertyDecorator =>
  ValidateBy({
    name: 'isMarketLocation',
    validator: {
      validate: (value: unknown) => {
        if (typeof value !== 'string' || !/^[1-9]\d{10}$/.test(value)) return false;
        let sum = 0;
        for (let index = 0; index < 10; index += 1) sum += Number(value[index]) * (index % 2 === 0 ? 1 : 2);
        return (10 - (sum % 10)) % 10 === Number(value[10]);
      },
      defaultMessage: () => '$property must be a market location',
    },
  });

/** An object that takes at most so many bytes as JSON. */
const IsSmallObject = (bytes: number): PropertyDecorator =>
  ValidateBy({
    name: 'isSmallObject',
    validator: {
      validate: (value: unknown) => Buffer.byteLength(JSON.stringify(value)) <= bytes,
      defaultMessage: () => `$property must take at most ${bytes} bytes`,
    },
  });

export class CustomerDto {
  @IsOptional()
  @IsIn(['person', 'company'])
  type?: 'person' | 'company';

  @ValidateIf((customer: CustomerDto) => customer.type === 'company' || customer.company_name !== undefined)
  @ValidateBy({
    name: 'isOfCompany',
    validator: {
      validate: (_value, context) => (context?.object as CustomerDto).type === 'company',
      defaultMessage: () => '$property is of companies only',
    },
  })
  @IsLine(200)
  company_name?: string;

  @IsLine(200)
  first_name: string;

  @IsLine(200)
  last_name: string;

  @IsEmail()
  email: string;

  @IsOptional()
  @Matches(/^[A-Z]{2}[0-9A-Z]{2,12}$/)
  vat_id?: string;
}

export class AddressDto {
  @IsLine(200)
  street: string;

  @IsLine(30)
  house_number: string;

  @Matches(/^\d{5}$/)
  zip: string;

  @IsLine(200)
  city: string;
}

export class MeterDto {
  @IsLine(50)
  number: string;

  @IsIn(['smart', 'modern', 'analog'])
  type: 'smart' | 'modern' | 'analog';

  @IsNumber()
  @IsPositive()
  @Max(100_000)
  estimated_usage: number;

  @IsOptional()
  @IsMarketLocation()
  malo?: string;
}

export class SepaDebitDto {
  @IsIBAN()
  iban: string;

  @IsLine(70)
  account_holder: string;
}

export class PaymentMethodDto {
  @Equals('sepa_debit')
  type: 'sepa_debit';

  @IsObject()
  @ValidateNested()
  @Type(() => SepaDebitDto)
  sepa_debit: SepaDebitDto;
}

export class ProductOrderDto {
  @IsIn(['smart-meter', '14a_enwg'])
  type: string;

  @ValidateIf((order: ProductOrderDto) => order.type === '14a_enwg')
  @IsNotEmptyObject()
  '14a_enwg'?: Record<string, boolean>;
}

export class SignUpDto {
  @Matches(reference('pln'))
  plan: string;

  @IsObject()
  @ValidateNested()
  @Type(() => CustomerDto)
  customer: CustomerDto;

  @IsObject()
  @ValidateNested()
  @Type(() => AddressDto)
  address: AddressDto;

  @IsObject()
  @ValidateNested()
  @Type(() => MeterDto)
  meter: MeterDto;

  @IsObject()
  @ValidateNested()
  @Type(() => PaymentMethodDto)
  payment_method: PaymentMethodDto;

  @IsBoolean()
  next_possible_start: boolean;

  @ValidateIf((body: SignUpDto) => !body.next_possible_start || body.intended_start_date !== undefined)
  @IsDateString({ strict: true })
  intended_start_date?: string;

  @IsOptional()
  @Matches(reference('mp'))
  previous_supplier?: string;

  @IsOptional()
  @Matches(reference('lead'))
  lead?: string;

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(10)
  @ValidateNested({ each: true })
  @Type(() => ProductOrderDto)
  product_orders?: ProductOrderDto[];

  @IsOptional()
  @IsLine(200)
  external_id?: string;

  @IsOptional()
  @IsObject()
  @IsSmallObject(10_240)
  metadata?: Record<string, unknown>;
}
