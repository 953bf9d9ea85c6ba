//! [`Worth`]: what an option is worth, by Black and Scholes.

use std::f64::consts::{PI, SQRT_2};

use crate::Side;

/// What the price of an option depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inputs {
    /// What the underlying costs.
    pub(super) spot: f64,
    /// What the underlying grows by in a year: the rate less dividends.
    pub(super) carry: f64,
    /// The price the option is about.
    pub(super) strike: f64,
    /// Years that are left.
    pub(super) years: f64,
    /// Volatility of a year.
    pub(super) volatility: f64,
}

/// What an option is worth, and what that depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Worth {
    /// The price.
    pub(super) price: f64,
    /// By the underlying.
    pub(super) delta: f64,
    /// Delta by the underlying.
    pub(super) gamma: f64,
    /// By a day.
    pub(super) theta: f64,
    /// By one per cent of volatility.
    pub(super) vega: f64,
}

/// What an option is worth.
pub(super) fn worth(side: Side, inputs: Inputs) -> Worth {
    let Inputs { spot, carry, strike, years, volatility } = inputs;
    let forward = spot * (carry * years).exp();
    let discount = (-carry * years).exp();
    let sign = match side {
        Side::Call => 1.0,
        Side::Put => -1.0,
    };
    let spread = volatility * years.max(0.0).sqrt();
    if spread < 1e-6 {
        // At its end an option is worth what exercising it brings.
        let price = (sign * (spot - strike)).max(0.0);
        let delta = if price > 0.0 { sign } else { 0.0 };
        return Worth { price, delta, gamma: 0.0, theta: 0.0, vega: 0.0 };
    }
    let d1 = (forward / strike).ln() / spread + spread / 2.0;
    let d2 = d1 - spread;
    let density = (-d1 * d1 / 2.0).exp() / (2.0 * PI).sqrt();
    let (near, far) = (normal(sign * d1), normal(sign * d2));
    let price = (sign * discount * (forward * near - strike * far)).max(0.0);
    let decay = spot * density * volatility / (2.0 * years.sqrt());
    let interest = sign * carry * strike * discount * far;
    Worth {
        price,
        delta: sign * near,
        gamma: density / (spot * spread),
        theta: -(decay + interest) / 365.0,
        vega: spot * density * years.sqrt() / 100.0,
    }
}

/// How much of a normal distribution lies below. (Abramowitz and Stegun 7.1.26: good to seven digits.)
fn normal(x: f64) -> f64 {
    let z = x.abs() / SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * z);
    let poly = [1.061_405_429, -1.453_152_027, 1.421_413_741, -0.284_496_736, 0.254_829_592]
        .into_iter()
        .fold(0.0_f64, |sum, factor| sum * t + factor)
        * t;
    let tail = poly * (-z * z).exp() / 2.0;
    if x < 0.0 { tail } else { 1.0 - tail }
}
